"""The report is pleasant to use: mouse, keyboard, contrast, dark and light, phone and paper.

Pictures of the page are written to ``build/report``: look at them.
"""

import pytest
from visits import PICTURES

pytestmark = pytest.mark.filterwarnings("ignore::misieve._errors.MisieveWarning")


def test_a_feature_is_chosen_in_the_chart(sampled, visit):
    opened = visit(sampled)
    third = opened.names()[2]
    opened.page.locator("#intervals svg").wait_for()
    box = opened.page.locator("#intervals .mark-symbol path").nth(2).bounding_box()
    opened.page.mouse.click(box["x"] + 4, box["y"] + 4)
    opened.settle()
    assert opened.text("#detail-name") == third


def test_the_keyboard_is_enough(sampled, visit):
    opened = visit(sampled)
    page = opened.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.className"))
        # What has the focus is seen to have it.
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert [one for one in reached if one in {"rule", "epsilon", "level", "search", "filter", "sort"}] == [
        "rule", "epsilon", "level", "search", "filter", "sort"
    ]  # fmt: skip
    before = opened.text("#count-kept")
    page.focus("#epsilon")
    page.keyboard.press("End")
    opened.settle()
    assert opened.text("#count-kept") == "0"
    assert page.locator("#epsilon").get_attribute("aria-valuetext").endswith("90 % of the target's entropy")
    page.focus("#reset")
    page.keyboard.press("Enter")
    opened.settle()
    assert opened.text("#count-kept") == before
    page.locator("#table tbody button").first.focus()
    page.keyboard.press("ArrowDown")
    opened.settle()
    second = opened.names()[1]
    assert opened.text("#detail-name") == second
    assert page.evaluate("document.activeElement.textContent") == second
    unlabelled = page.evaluate("[...document.querySelectorAll('input, select')].filter(e => !e.labels.length).map(e => e.id)")
    assert unlabelled == []


#: Text whose contrast with what is behind it is below WCAG AA.
CONTRAST = """() => {
  const known = new Map();
  const rgb = (text) => known.get(text) ?? known.set(text, measured(text)).get(text);
  const measured = (text) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] + below[i] * (1 - top[3]));
  const behind = (e) => {
    const layers = [];
    for (; e; e = e.parentElement) layers.push(rgb(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !e.checkVisibility() || e.closest('script, option, :disabled, .hidden'))
      continue;
    const style = getComputedStyle(e), svg = e instanceof SVGElement;
    const colour = rgb(svg ? style.fill : style.color);
    const below = behind(svg ? e.closest('svg').parentElement : e);
    const [a, b] = [light(over(colour, below)), light(below)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.7 && style.fontWeight >= 700);
    seen++;
    if (ratio < (large ? 3 : 4.5)) bad.push([e.tagName, String(e.className.baseVal ?? e.className), e.textContent, ratio]);
  }
  return [seen, bad];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_read(sampled, visit, scheme):
    opened = visit(sampled, color_scheme=scheme)
    opened.page.locator("#profile svg").wait_for()
    seen, bad = opened.page.evaluate(CONTRAST)
    assert seen > 200
    assert bad == []
    opened.shot(scheme)
    opened.shot(f"{scheme}-whole", full_page=True)
    ground = "getComputedStyle(document.body).backgroundColor"
    before = opened.page.evaluate(ground)
    opened.page.click("#theme")
    assert opened.page.evaluate(ground) != before
    opened.page.locator("#epsilon").focus()
    _, bad = opened.page.evaluate(CONTRAST)
    assert bad == []


def test_a_phone(sampled, visit):
    opened = visit(sampled, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = opened.page
    page.locator("#profile svg").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    opened.shot("phone", full_page=True)
    page.get_by_role("button", name="mean radius").tap()
    opened.settle()
    assert page.evaluate("document.activeElement.id") == "detail-name"
    page.wait_for_function("document.getElementById('detail').getBoundingClientRect().top < 100")


def test_print(sampled, visit):
    opened = visit(sampled)
    opened.page.locator("#profile svg").wait_for()
    PICTURES.mkdir(parents=True, exist_ok=True)
    document = opened.page.pdf(path=PICTURES / "print.pdf", format="A4")
    assert document.startswith(b"%PDF")
    opened.page.emulate_media(media="print", color_scheme="dark")
    assert not opened.page.locator("#controls").is_visible()
    assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    opened.shot("print", full_page=True)
    opened.page.emulate_media(media="screen")
