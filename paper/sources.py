"""The raw data files: name in the folder, checksums, public homes."""

from dataclasses import dataclass

__all__ = ["FILES", "RawFile"]

_UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/"
_GITHUB = "https://raw.githubusercontent.com/"
_ARFF = _GITHUB + "renatopp/arff-datasets/c59f172882592bb58982cc54d2d3c8a2b57e9b73/classification/"


@dataclass(frozen=True)
class RawFile:
    """A raw file: its name in the folder, the sha256 of its bytes and of its content, and where it lives in public."""

    name: str
    sha256: str
    content: str
    urls: tuple[str, ...]


def _raw(name: str, sha256: str, content: str, *urls: str) -> tuple[str, RawFile]:
    return name, RawFile(name, sha256, content, urls)


FILES = dict(
    [
        _raw(
            "australian.data",
            "51733b78020e5c8ee692c6c4b7ba7f9258799a43561130951e034d114ccb50aa",
            "51733b78020e5c8ee692c6c4b7ba7f9258799a43561130951e034d114ccb50aa",
            _UCI + "statlog/australian/australian.dat",
        ),
        _raw(
            "crx.data",
            "fff49bc186cbddb3ace7371d40d9fbbb3af4f126019c13ff3f562249b1454f4d",
            "fff49bc186cbddb3ace7371d40d9fbbb3af4f126019c13ff3f562249b1454f4d",
            _UCI + "credit-screening/crx.data",
        ),
        _raw(
            "german.data-numeric",
            "2752b044394958ab6dd193a0b56ca0f0b3a2d8bc7cb8c008e35a5e84bbec02f8",
            "245e0e653683f947ed87e9cba959130ee7e764dd3b4bda2840fdc1302c97385c",
            _UCI + "statlog/german/german.data-numeric",
        ),
        _raw(
            "house-votes-84.data",
            "bc976523ac43201ad66d17e06e4358410e115e39a0258f15e8d8d449f85d6122",
            "c87c14110a5ba91d4a1e313ec7392824458152bf071fa5f5452340488337936e",
            _UCI + "voting-records/house-votes-84.data",
        ),
        _raw(
            "hypothyroid.data",
            "dce280faa6f24a8f96bcde8e83e88deece8f1ad26050cd7ca54f84a25f92c594",
            "ffba466e9844cf7d6d8fde1f89209c6ab1d583c865abb449bb6ab8c70875f4c4",
            _UCI + "thyroid-disease/hypothyroid.data",
        ),
        _raw(
            "kr-vs-kp.arff",
            "0788f4d5a19fe4f1e34094c629bb1ede677c826ae1d9b958313a1e2ed3459ffa",
            "f47f7d920e117ab5764d3adcd2f6446ca596290261756ecd35c81b12fcaec061",
            _UCI + "chess/king-rook-vs-king-pawn/kr-vs-kp.data",
            _ARFF + "kr.vs.kp.arff",
        ),
        _raw(
            "lymphography.data",
            "1d56052d55faa2c315d1c2457482bc864739d8ecb05a31e0e0187af40b9b37ff",
            "e17d22d071341af08a505a10eb558afc835e302b02c8b381c1fa3dd305731935",
            _UCI + "lymphography/lymphography.data",
        ),
        _raw(
            "pu1_lemm_stop.tar.gz",
            "041a8243c35c0169dfd0010ef0f82e46dbbfb4f8c3d4fd68706e543581c933f3",
            "0944618e8819e5d79eeeeedfa03d2874d81116a4173cf5d5e703557d0579d6fc",
            "http://www.aueb.gr/users/ion/data/pu1_encoded.tar.gz",
            "https://codeload.github.com/johnmarinelli/spam-filter/tar.gz/058aa648e92c0a513a6f8e460b936c2dece2e91f",
        ),
        _raw(
            "shuttle.trn.gz",
            "7e5b6c9db2350161b89b562a6b73c3ec2eea2c1d6f632bf568401236ad49b751",
            "15e89d5632c936f48df9bb3c0cc74949a4d79d0de34fd6ee7ddf1ca1669d302d",
            _UCI + "statlog/shuttle/shuttle.trn.Z",
        ),
        _raw(
            "shuttle.tst.gz",
            "89057c33f1d70464e4882e12802c6e25b76cc9e2c2af1be9d186617a5efc7d40",
            "cfcaceb1257ee7aba1dcb7c911559dbe520f60c5e1f940170a6527a0fba2feae",
            _UCI + "statlog/shuttle/shuttle.tst",
        ),
        _raw(
            "extras/BASEHOCK.mat",
            "e0452e0f3c0fefdc5cb6352165e4ba4a25c3a2a7b5a5b4d44e103742d6317aa0",
            "e0452e0f3c0fefdc5cb6352165e4ba4a25c3a2a7b5a5b4d44e103742d6317aa0",
            _GITHUB + "jundongl/scikit-feature/48cffad4e88f/skfeature/data/BASEHOCK.mat",
        ),
        _raw(
            "extras/supermarket.arff.gz",
            "93793b71dbc326b419a3a16ca5e8d9a62528c3866bfbb38b9bbe0af0cd1e8335",
            "561adad4a8d58d52f57d6e7d617bfd18559c96d0ec607dfcd2d532935eb8ebe2",
            _GITHUB + "Waikato/weka-3.8/master/wekadocs/data/supermarket.arff",
        ),
        _raw(
            "extras/mushroom.arff.gz",
            "c842e2fd6af3a959e15029584f62395f1b1da90ee3fa3846b984555095bd2b90",
            "acfa25eca940983ec40d764a632d292d49e35ee9de0996c547aa4de349d0a842",
            _ARFF + "mushroom.arff",
        ),
        _raw(
            "extras/soybean.arff.gz",
            "ec757bb821a5005f9137fb0506545e1bdee3fa210d1640f6602376709db63750",
            "1f824243d755acb83eb3bb24e1ddb7a8ec25298949ce05ddb7ffacd90fc9259c",
            _ARFF + "soybean.arff",
        ),
        _raw(
            "extras/audiology.arff.gz",
            "7c2466c4ee2b88850e1c78bb3d91f524c814e869f8ac094a854ab68d185a5fff",
            "609e086a5bc2873d640ff8c5b5b189390fc5fb6574825d3476519ed4f26a1cd5",
            _ARFF + "audiology.arff",
        ),
        _raw(
            "extras/breast.w.arff.gz",
            "b7d1dc514289d033fb8ca93e8efce4b28f976329ba1893ccde9b85aac6c615d0",
            "8a40c54b39eee2d217d2e8235da9dddaf19635153d9caeab4a5db333f7f9a6bf",
            _ARFF + "breast.w.arff",
        ),
        _raw(
            "extras/colic.arff.gz",
            "2d7adacba07f7e68e6fa3fcb19e5e051d208c82d6e577ac8398cc03eb9c13227",
            "058760d25b86421e52eaeeafaea8725c07907eeac08533735f11027e90e93860",
            _ARFF + "colic.arff",
        ),
        _raw(
            "extras/hepatitis.arff.gz",
            "ee70bc63c0089c21ff13023df8b7f7618b220e115a76a4de84a1ee6b4ee6b873",
            "842a64558fe72eda2132a95cb30eaacef8b7fd47d50054a569d0f84e45510c34",
            _ARFF + "hepatitis.arff",
        ),
    ]
)
