"""The numbers printed in the paper, as printed."""

__all__ = ["FILTERS", "PAPER_SHARES", "SIGNIFICANT", "STATEMENTS", "TABLE_1", "TABLE_2", "TITLES"]

#: What the paper calls the rules.
FILTERS = {"forward": "FF", "empirical": "F", "backward": "BF"}

TITLES = {
    "australian": "Australian",
    "chess": "Chess",
    "crx": "Crx",
    "german-org": "German-org",
    "hypothyroid": "Hypothyroid",
    "led24": "Led24",
    "lymphography": "Lymphography",
    "shuttle-small": "Shuttle-small",
    "spam": "Spam",
    "vote": "Vote",
}

#: Number of features, number of instances, relative frequency of the majority class.
TABLE_1 = {
    "australian": (36, 690, 0.555),
    "chess": (36, 3196, 0.520),
    "crx": (15, 653, 0.547),
    "german-org": (17, 1000, 0.700),
    "hypothyroid": (23, 2238, 0.942),
    "led24": (24, 3200, 0.105),
    "lymphography": (18, 148, 0.547),
    "shuttle-small": (8, 5800, 0.787),
    "spam": (21611, 1101, 0.563),
    "vote": (16, 435, 0.614),
}

#: Average number of attributes selected by FF, F and BF.
TABLE_2 = {
    "australian": (32.6, 34.3, 35.9),
    "chess": (12.6, 18.1, 26.1),
    "crx": (11.9, 13.2, 15.0),
    "german-org": (5.1, 8.8, 15.2),
    "hypothyroid": (4.8, 8.4, 17.1),
    "led24": (13.6, 14.0, 24.0),
    "lymphography": (18.0, 18.0, 18.0),
    "shuttle-small": (7.1, 7.7, 8.0),
    "spam": (123.1, 822.0, 13127.4),
    "vote": (14.0, 15.2, 16.0),
}

#: The data sets on which accuracies were significantly different.
SIGNIFICANT = ("chess", "spam")

#: What section 4.2 says of single comparisons.
STATEMENTS = {
    ("chess", "forward", "empirical"): "significant for the greatest part; maximum at 422, .889 against .832",
    ("chess", "empirical", "backward"): "no significant difference",
    ("spam", "forward", "empirical"): "significant from 32 to 413; maximum at 59, .797 against .559",
    ("spam", "empirical", "backward"): "BF worse from 65 to the end",
}

#: The share of k with a significant difference that follows from them; None where they give no number, 0 where not named.
PAPER_SHARES = {
    ("chess", "forward", "empirical"): None,
    ("spam", "forward", "empirical"): (413 - 32 + 1) / 1101,
    ("spam", "empirical", "backward"): (1101 - 65 + 1) / 1101,
}
