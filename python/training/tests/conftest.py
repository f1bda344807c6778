import pytest


def pytest_addoption(parser):
    parser.addoption("--no-skip", action="store_true", help="a test that would be skipped fails")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.skipped and item.config.getoption("--no-skip"):
        report.outcome, report.longrepr = "failed", f"skipped: {report.longrepr[2]}"
    return report
