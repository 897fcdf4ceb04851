// What was done and has not reached the server, kept by the browser: a reload, a crash or a lost line take nothing. It is a
// bridge, no archive.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Operation } from "./edit.js";
import type { Remembered } from "./History.js";

/** Operations that were made together, and the revision that they were made on. */
export interface Batch {
  work: string;
  base: number;
  /** What was done over that revision before, and is in a later one. */
  before: Operation[];
  operations: Operation[];
  at: number;
}

interface Schema extends DBSchema {
  batches: { key: number; value: Batch; indexes: { work: string } };
  histories: { key: string; value: Remembered & { work: string; revision: number } };
}

/** A newer script may keep other things. */
const VERSION = 1;

export interface Journal {
  /** Keeps a batch and what can be undone; answers its key. */
  add(batch: Batch, history: Remembered): Promise<number>;
  /** Forgets what the server has; over what the rest is to be made has changed with it. */
  remove(keys: number[], rest: { key: number; base: number; before: Operation[] }[]): Promise<void>;
  pending(work: string): Promise<{ key: number; batch: Batch }[]>;
  history(work: string): Promise<(Remembered & { revision: number }) | undefined>;
  keepHistory(work: string, revision: number, history: Remembered): Promise<void>;
}

/** Opens it. `replaced` is called when a newer script in another tab wants it: this one stops writing. */
export async function openJournal(replaced: () => void): Promise<Journal> {
  const db: IDBPDatabase<Schema> = await openDB<Schema>("bindery-editor", VERSION, {
    upgrade(db) {
      db.createObjectStore("batches", { autoIncrement: true }).createIndex("work", "work");
      db.createObjectStore("histories", { keyPath: "work" });
    },
    blocking() {
      db.close();
      replaced();
    },
    terminated: replaced,
  });
  return {
    async add(batch, history) {
      const transaction = db.transaction(["batches", "histories"], "readwrite");
      const [key] = await Promise.all([
        transaction.objectStore("batches").add(batch),
        transaction.objectStore("histories").put({ ...history, work: batch.work, revision: batch.base }),
        transaction.done,
      ]);
      return key;
    },
    async remove(keys, rest) {
      const transaction = db.transaction("batches", "readwrite", { durability: "strict" });
      const { store } = transaction;
      const renewed = rest.map(async ({ key, base, before }) => {
        const batch = await store.get(key);
        if (batch) await store.put({ ...batch, base, before }, key);
      });
      await Promise.all([...keys.map((key) => store.delete(key)), ...renewed, transaction.done]);
    },
    async pending(work) {
      const transaction = db.transaction("batches");
      const index = transaction.store.index("work");
      const [keys, batches] = await Promise.all([index.getAllKeys(work), index.getAll(work)]);
      return batches.map((batch, place) => ({ key: keys[place] ?? 0, batch }));
    },
    history: (work) => db.get("histories", work),
    async keepHistory(work, revision, history) {
      await db.put("histories", { ...history, work, revision });
    },
  };
}
