"""The address under which phones on the home network reach this machine; works with no internet and no name server."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from urllib.parse import urlsplit

from flask import request

_SIOCGIFADDR = 0x8915
"""Linux: ask the kernel for an interface's IPv4 address."""


def address_for_phones(path: str) -> str:
    """The whole address of a path: as this page was asked for, or by the network's address where that is only local."""
    parts = urlsplit(request.host_url)
    host = parts.hostname or ""
    if _is_local(host):
        found = lan_addresses()
        host = found[0] if found else host
    port = "" if parts.port is None else f":{parts.port}"
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{path}"


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def lan_addresses() -> list[str]:
    """IPv4 addresses of this machine that others may reach, private networks first."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _index, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(asked.fileno(), _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue  # an interface without an address
            address = ipaddress.IPv4Address(answer[20:24])
            if not address.is_loopback:
                found.append(address)
    return [str(address) for address in sorted(found, key=lambda each: (not each.is_private, each))]
