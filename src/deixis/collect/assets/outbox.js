// Writes that the server has not acknowledged yet. They lie in IndexedDB, so a closed tab, a dead
// battery or a night without network loses none; each carries a key, so sending twice does no harm.

const NAME = "deixis-outbox";
const SLOWEST = 15_000;

/** Opens the database; in a browser that forbids it, memory has to do. */
async function openShelf() {
  try {
    const database = await new Promise((resolve, reject) => {
      const asked = indexedDB.open(NAME, 1);
      asked.onupgradeneeded = () =>
        asked.result.createObjectStore("writes", { keyPath: "order", autoIncrement: true });
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
    return new Shelf(database);
  } catch {
    return new Memory();
  }
}

class Shelf {
  constructor(database) {
    this.database = database;
  }

  run(mode, act) {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction("writes", mode);
      const asked = act(transaction.objectStore("writes"));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  add(entry) {
    return this.run("readwrite", (store) => store.add(entry));
  }

  remove(order) {
    return this.run("readwrite", (store) => store.delete(order));
  }

  all() {
    return this.run("readonly", (store) => store.getAll());
  }
}

class Memory {
  entries = [];
  next = 1;

  async add(entry) {
    this.entries.push({ ...entry, order: this.next });
    return this.next++;
  }

  async remove(order) {
    this.entries = this.entries.filter((entry) => entry.order !== order);
  }

  async all() {
    return [...this.entries];
  }
}

/** The outbox of one visit. `changed(n)` is told how many writes are not saved yet. */
export class Outbox {
  constructor(server, changed) {
    this.server = server;
    this.changed = changed;
    this.shelf = openShelf();
    this.waiting = new Map();
    this.sending = null;
    this.delay = 500;
    this.stuck = false;
    addEventListener("online", () => this.hurry());
    addEventListener("beforeunload", (event) => {
      if (this.pending) event.preventDefault();
    });
    this.pending = 0;
  }

  /** Keeps a write and sends it; resolves with the server's reply, however long that takes. */
  async put(body) {
    const shelf = await this.shelf;
    if (body.kind === "draft") await this.dropDrafts(body.step);
    const order = await shelf.add({ token: this.server.token, body });
    const reply = new Promise((resolve) => this.waiting.set(order, resolve));
    this.pump();
    return reply;
  }

  /** Resolves when nothing is left to send; says whether the server has it all. */
  async flush() {
    await this.pump();
    return (await this.mine()).length === 0;
  }

  async mine() {
    const entries = await (await this.shelf).all();
    const own = entries.filter((entry) => entry.token === this.server.token);
    this.pending = own.length;
    this.changed(own.length);
    return own;
  }

  /** Older drafts of a step need not be sent once there is a newer one. */
  async dropDrafts(step) {
    for (const entry of await this.mine()) {
      const stale = entry.body.kind === "draft" && entry.body.step === step;
      if (stale && entry.order !== this.sending) {
        await (await this.shelf).remove(entry.order);
        this.settle(entry.order, { status: 200, body: { saved: false } });
      }
    }
  }

  settle(order, reply) {
    const resolve = this.waiting.get(order);
    this.waiting.delete(order);
    if (resolve) resolve(reply);
  }

  hurry() {
    this.delay = 500;
    if (this.wake) this.wake();
  }

  /** Sends what there is, in order; one at a time, again and again until it is through. */
  pump() {
    this.pumping ??= this.pumpAll().finally(() => {
      this.pumping = null;
    });
    return this.pumping;
  }

  async pumpAll() {
    for (let own = await this.mine(); own.length; own = await this.mine()) {
      const entry = own[0];
      this.sending = entry.order;
      const reply = await this.server.write(entry.body);
      this.sending = null;
      if (reply.status === 401) {
        // The visit is unknown to the server: what was written is kept here, for somebody to help.
        this.stuck = true;
        this.settle(entry.order, reply);
        return;
      }
      if (reply.status === 0 || reply.status === 429 || reply.status >= 500) {
        await this.pause();
        continue;
      }
      this.delay = 500;
      await (await this.shelf).remove(entry.order);
      await this.mine();
      this.settle(entry.order, reply);
    }
  }

  async pause() {
    await new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, this.delay * (0.75 + Math.random() / 2));
    });
    this.wake = null;
    this.delay = Math.min(this.delay * 2, SLOWEST);
  }
}
