# mypy: disable-error-code="import-not-found"
"""Brings the database up to date and makes the accounts it is told of: JSON on stdin, the names made now on stdout."""

import asyncio
import contextlib
import json
import sys
from pathlib import Path
from typing import Any

from argilla_server.cli.database.migrate import migrate_db
from argilla_server.contexts import accounts
from argilla_server.database import AsyncSessionLocal
from argilla_server.models import User, Workspace, WorkspaceUser
from argilla_server.settings import settings
from sqlalchemy import make_url

from . import engine as engine
from .support import check_revision


async def make(wanted: dict[str, Any]) -> list[str]:
    """Make the workspaces and users that are missing; returns the users made, or given a new password, by name."""
    async with AsyncSessionLocal() as session:
        for name in wanted["workspaces"]:
            if await Workspace.get_by(session, name=name) is None:
                await accounts.create_workspace(session, {"name": name})
        return [user["username"] for user in wanted["users"] if await _make_user(session, user)]


async def _make_user(session: Any, wanted: dict[str, Any]) -> bool:
    user = await accounts.get_user_by_username(session, wanted["username"])
    if user is None:
        user = await accounts.create_user(session, {**wanted, "first_name": wanted["username"], "last_name": None})
        if "api_key" in wanted:
            await user.update(session, api_key=wanted["api_key"])
        made = True
    else:
        made = bool(wanted["new_password"])
        if made:
            await accounts.update_user(session, user, {"password": wanted["password"]})
    await _join(session, user, wanted["workspaces"])
    return made


async def _join(session: Any, user: User, names: list[str]) -> None:
    for name in names:
        workspace = await Workspace.get_by(session, name=name)
        if await WorkspaceUser.get_by(session, workspace_id=workspace.id, user_id=user.id) is None:
            await accounts.create_workspace_user(session, {"workspace_id": workspace.id, "user_id": user.id})


def main() -> None:
    """Read, migrate, make, report."""
    wanted = json.load(sys.stdin)
    path = Path(make_url(settings.database_url).database)
    if path.exists():
        check_revision(str(path))
    with contextlib.redirect_stdout(sys.stderr):
        migrate_db("head")
        made = asyncio.run(make(wanted))
    json.dump(made, sys.stdout)


if __name__ == "__main__":
    main()
