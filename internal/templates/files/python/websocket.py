"""The way to an arena over the network: as much of WebSocket (RFC 6455) as a bot needs."""
import base64, hashlib, json, os, secrets, socket, ssl, struct, sys, time  # noqa: E401
from urllib.parse import urlsplit

# Refusals that pass: the arena has not noticed yet that we were away or killed, or has trouble.
TEMPORARY = "name_in_use", "busy", "internal_error"


class Refused(OSError):
    """The arena does not admit the bot yet."""


class Connection:
    def __init__(self, url):
        to, key = urlsplit(url), base64.b64encode(os.urandom(16)).decode()
        tls = to.scheme == "wss"
        self.socket = socket.create_connection((to.hostname, to.port or (443 if tls else 80)), 20)
        if tls:
            context = ssl.create_default_context()
            self.socket = context.wrap_socket(self.socket, server_hostname=to.hostname)
        self.file = self.socket.makefile("rb")
        headers = ["Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}",
                   "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: versus2048.v1"]
        request = [f"GET {to.path} HTTP/1.1", f"Host: {to.netloc}", *headers, "", ""]
        self.socket.sendall("\r\n".join(request).encode())
        if b" 101 " not in (status := self.file.readline()):
            answer = f"no arena, the answer is {status.decode().strip()}"
            if not to.path.endswith("/bot"):
                sys.exit(f"{url}: {answer}; the address of bots ends in /bot")
            raise OSError(answer)
        while self.file.readline().strip():
            pass

    def send(self, opcode, data):
        size, mask = len(data), os.urandom(4)
        head = bytes([size | 128]) if size < 126 else struct.pack("!BH", 126 | 128, size)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.socket.sendall(bytes([opcode | 128]) + head + mask + masked)

    def read(self, size):
        if len(data := self.file.read(size)) < size:
            raise OSError("the connection is lost")
        return data

    def messages(self):
        """Yield the arena's messages; answer pings in between."""
        text = b""
        while True:
            head = self.read(2)
            opcode, size = head[0] & 15, head[1] & 127
            if size > 125:
                size = int.from_bytes(self.read(2 if size == 126 else 8), "big")
            data = self.read(size)
            if opcode == 9:
                self.send(10, data)
            elif opcode == 8:
                raise OSError(f"closed: {data[2:].decode()}")
            elif opcode < 2:
                text += data
                if head[0] & 128:
                    yield json.loads(text)
                    text = b""


def own_token(url, name, invitation):
    """Return the token of this name, from the file of bot run. An invitation's code makes one."""
    folder = os.environ.get("APPDATA") or os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    folder = "~/Library/Application Support" if sys.platform == "darwin" else folder
    file = os.path.join(os.path.expanduser(folder), "versus2048", "bots",
                        hashlib.sha256(f"{url}\n{name}".encode()).hexdigest()[:16])
    kept = open(file).read() if os.path.exists(file) else ""
    code = "" if invitation == "open" else invitation.upper() + "-"
    if invitation and not (kept and kept.startswith(code)):
        os.makedirs(os.path.dirname(file), 0o700, exist_ok=True)
        if kept:
            os.replace(file, file + ".old")
        with open(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), "w") as new:
            new.write(kept := code + secrets.token_hex(16))
    return kept


def play(url, name, version, choose, invitation=""):
    """Play until the arena says goodbye; come back after a loss, and while the name is in use."""
    hello = {"type": "hello", "name": name, "version": version, "slots": 4, "resume": ""}
    hello["token"] = os.environ.get("VERSUS2048_TOKEN") or own_token(url, name, invitation)
    longer = 1
    while True:
        try:
            return session(Connection(url), hello, choose)
        except OSError as error:
            pause, longer = (longer, min(2 * longer, 5)) if isinstance(error, Refused) else (1, 1)
            print(f"{url}: {error}; trying again in {pause} s", file=sys.stderr)
            time.sleep(pause)


def session(connection, hello, choose):
    connection.send(1, json.dumps(hello).encode())
    games = {}
    for m in connection.messages():
        match m["type"]:
            case "welcome":
                hello["resume"] = m["resume"]
            case "start":
                games[m["game"]] = m
            case "request":
                game = games[m["game"]]
                move = choose(m["board"], game["role"][0].upper(), game["rules"])
                answer = {"type": "move", "game": m["game"], "ply": m["ply"], "move": move}
                connection.send(1, json.dumps(answer).encode())
            case "refusal" if m["code"] in TEMPORARY:
                raise Refused(m["message"])
            case "goodbye" if m.get("reconnect"):
                raise OSError("the arena shuts down")
            case "refusal":
                sys.exit(m["message"])
            case "goodbye":
                print(m.get("reason", "goodbye"), file=sys.stderr)
                return
            case "over" | "error":
                print(m, file=sys.stderr)
