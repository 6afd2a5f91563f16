// The server, as a participant's page talks to it: JSON, and a token in a header.

const PATIENCE = 20_000;

/** A token of 128 random bits; the server keeps its hash only. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Server {
  constructor(token) {
    this.token = token;
  }

  /** Status and body of a reply; status 0 if there was none. */
  async ask(method, path, body) {
    try {
      const reply = await fetch(`/api/${path}`, {
        method,
        headers: {
          "Deixis-Token": this.token,
          ...(body ? { "Content-Type": "application/json" } : {}),
        },
        body: body ? JSON.stringify(body) : undefined,
        signal: AbortSignal.timeout(PATIENCE),
        cache: "no-store",
        credentials: "omit",
      });
      return { status: reply.status, body: await reply.json() };
    } catch {
      return { status: 0, body: { error: "The server cannot be reached." } };
    }
  }

  arrive(study, parameters, preview) {
    return this.ask("POST", `${study}/arrive`, { parameters, preview });
  }

  now() {
    return this.ask("GET", "now");
  }

  write(body) {
    return this.ask("POST", "write", body);
  }

  beat() {
    return this.ask("POST", "beat");
  }

  stop() {
    return this.ask("POST", "stop");
  }

  leave(erase) {
    return this.ask("POST", "leave", { erase });
  }
}
