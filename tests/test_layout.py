"""The project's packages have general names: nobody else may claim them, and no file of ours may grow out of reach."""

from importlib.metadata import packages_distributions

import pytest

PACKAGES = ("schemas", "builder", "annotation", "hub_card", "analysis")


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_installed_distribution_claims_a_package_of_ours(package: str) -> None:
    assert set(packages_distributions().get(package, [])) <= {"refusal-foresight"}
