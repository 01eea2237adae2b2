"""No container engine is at hand to build the image, so its text is held to the facts it rests on."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from companion.cli.main import build_parser
from companion.config import Config

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


@pytest.fixture(scope="module")
def steps():
    """The Dockerfile's instructions, continued lines joined."""
    text = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [tuple(line.split(None, 1)) for line in lines]


def all_of(steps, name):
    return [rest for instruction, rest in steps if instruction == name]


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["companion"]


def test_every_instruction_is_one_that_docker_knows(steps):
    known = {"FROM", "RUN", "COPY", "USER", "WORKDIR", "VOLUME", "EXPOSE", "ENV", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    assert {instruction for instruction, _ in steps} <= known
    assert steps[0][0] == "FROM"


def test_everything_copied_exists_and_is_not_ignored(steps):
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().split()
    sources = [source for rest in all_of(steps, "COPY") for source in rest.split()[:-1]]
    assert {"pyproject.toml", "companion", "vision", "web"} <= set(sources)
    for source in sources:
        assert (ROOT / source).exists(), source
        assert source not in ignored


def test_the_base_image_has_a_python_that_the_project_accepts(steps):
    version = re.search(r"python:3\.(\d+)-slim-(bookworm|trixie)", all_of(steps, "FROM")[0])
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    low, high = (int(minor) for minor in re.findall(r"3\.(\d+)", required))
    assert low <= int(version[1]) < high


def test_opencv_finds_its_system_libraries_and_package_lists_are_not_kept(steps):
    install = next(rest for rest in all_of(steps, "RUN") if "apt-get" in rest)
    assert "libgl1" in install
    assert "libglib2.0-0" in install
    assert "rm -rf /var/lib/apt/lists" in install


def test_it_runs_as_an_ordinary_user_with_the_arguments_that_the_command_line_takes(steps, compose):
    assert all_of(steps, "USER") == ["companion"]
    program, *arguments = json.loads(all_of(steps, "ENTRYPOINT")[0])
    assert program == "companion"
    for more in (json.loads(all_of(steps, "CMD")[-1]), compose["command"], webcam()["command"]):
        args = build_parser().parse_args([*arguments, *more])
        assert args.command == "run"
        assert str(args.data) in all_of(steps, "VOLUME")


def webcam():
    return yaml.safe_load((DEPLOY / "compose.webcam.yaml").read_text())["services"]["companion"]


def test_the_port_is_the_one_of_the_config(steps, compose):
    port = Config().web.port
    assert all_of(steps, "EXPOSE") == [str(port)]
    assert compose["ports"] == [f"{port}:{port}"]
    assert f":{port}/" in all_of(steps, "HEALTHCHECK")[0]


def test_compose_builds_this_dockerfile_and_keeps_the_games(compose):
    context = (DEPLOY / compose["build"]["context"]).resolve()
    assert context == ROOT
    assert (context / compose["build"]["dockerfile"]).is_file()
    assert compose["volumes"] == ["games:/data"]
    assert compose["read_only"]
    assert webcam()["devices"] == ["/dev/video0:/dev/video0"]
