from __future__ import annotations

import time

import pytest

from trimtab.credentials import masked, masked_values

PEM = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + "MIIEpAIBAAKCAQEA7v1x\n" * 20
SECRETS = [
    ("AKIA" + "J7QPR2MZ5XK4TW3B", "AWS access key"),
    ("ghp_" + "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2", "GitHub token"),
    ("github_pat_" + "11ABCDEFG0aB3dE5fG7hI9_jK1lM2nO4pQ6", "GitHub token"),
    ("sk-ant-" + "api03-aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0", "Anthropic key"),
    ("sk-" + "proj-aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0", "OpenAI key"),
    ("xoxb-" + "123456789012-abcdefGHIJKL", "Slack token"),
    ("AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q", "Google key"),
    ("glpat-" + "aB3dE5fG7hI9jK1lM2nO", "GitLab token"),
    ("eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "JSON web token"),
    (PEM + "-----END RSA PRIVATE KEY-----", "private key"),
]
ASSIGNED = [
    ("api-key: {}", "8fk2mQ90zLp4", "value"),
    ('"client_secret": "{}"', "v9Xz_81-qq7Lm", "value"),
    ("DB_PASSWORD={}", "hunter2!", "value"),
    ("Authorization: Bearer {}", "q8Wm2Zt7Lk0Pv5Rc9", "bearer token"),
    ("postgres://app:{}@db.internal/prod", "sunflower", "password"),
]
LOOK_ALIKES = [
    "AKIAIOSFODNN7EXAMPLE",
    "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxx",
    "api_key: your_api_key_1234",
    "the task-force-of-twenty-people met",
    "sk-learn-style-estimators-and-pipelines",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "token = next_token(stream)",
    "max_tokens: 2048",
    "password: str",
    "trimtab recall t:3fa9c1b27e04d6a8",
    "https://example.com:8080/a@b",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "id 123e4567-e89b-12d3-a456-426614174000",
]


@pytest.mark.parametrize(("secret", "kind"), SECRETS, ids=[kind for _, kind in SECRETS])
def test_a_secret_gives_way_to_what_kind_it_is(secret: str, kind: str) -> None:
    assert masked(f"it is {secret}, see?") == f"it is [secret: {kind}], see?"
    assert masked_values({"a": [f"'{secret}'", 4, None]}) == {"a": [f"'[secret: {kind}]'", 4, None]}


@pytest.mark.parametrize(("text", "secret", "kind"), ASSIGNED, ids=[text for text, *_ in ASSIGNED])
def test_a_value_under_a_telling_name_gives_way_and_the_name_stays(text: str, secret: str, kind: str) -> None:
    assert masked(text.format(secret)) == text.format(f"[secret: {kind}]")


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_SEC_01_look_alikes_stay(text: str) -> None:
    assert masked(text) == text


def test_what_was_masked_is_not_masked_again() -> None:
    text = "\n".join([*(one for one, _ in SECRETS), *(text.format(one) for text, one, _ in ASSIGNED)])
    assert masked(masked(text)) == masked(text)


@pytest.mark.parametrize(
    "hostile",
    [
        "sk-" + "a-" * 50_000,
        "eyJ" + "eyJa." * 40_000,
        "-----BEGIN PRIVATE KEY-----" * 8_000,
        "a_" * 100_000,
        "secret:" * 30_000,
        "a:" * 100_000,
        "bearer " * 30_000,
    ],
    ids=lambda text: text[:12],
)
def test_it_takes_linear_time(hostile: str) -> None:
    def seconds(text: str) -> float:
        start = time.process_time()
        masked(text)
        return time.process_time() - start

    half, whole = seconds(hostile[: len(hostile) // 2]), seconds(hostile)
    assert whole < max(4 * half, 0.5)
