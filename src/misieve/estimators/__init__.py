"""The filters and the classifier as scikit-learn estimators: the only place that knows scikit-learn's base classes."""
