"""scikit-learn: mutual_info_classif of discrete features."""

NAME = "scikit-learn mutual_info_classif"
TABLES = False


def available() -> str:
    return ""


def prepare(x, y):
    return x, y


def run(x, y):
    from sklearn.feature_selection import mutual_info_classif

    return mutual_info_classif(x, y, discrete_features=True)
