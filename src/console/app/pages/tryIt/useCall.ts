/** A call of the sandbox: placed, followed to its end, and its telephone. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AdminAnswer, AdminBody } from '../../../../admin/client.ts';
import { admin } from '../../api.ts';
import type { Entry, Machine } from '../../data.ts';
import { useStream } from '../../stream.ts';

/** The call that is to be placed, and whose. */
export type Wanted = AdminBody<'POST /accounts/:account/sandbox-calls'> & { account: number };

/** The telephone of the called person. */
export type Phone = AdminAnswer<'GET /machines/:id/phone'>;

export type Act = { do: 'answer' | 'reject' | 'hangUp' } | { do: 'press'; key: string };

export interface Call {
  id: string | undefined;
  entries: readonly Entry[];
  isOver: boolean;
  phone: Phone | undefined;
  place(wanted: Wanted): Promise<void>;
  act(what: Act): Promise<void>;
}

/** While it rings or speaks its telephone is looked at so often, milliseconds: what is heard is no step of the call. */
const lookMs = 500;

export const useCall = (): Call => {
  const [id, setId] = useState<string>();
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [machine, setMachine] = useState<Machine>();
  const [phone, setPhone] = useState<Phone>();
  const shown = useRef(id);
  shown.current = id;
  useStream(id && `machine:${id}`, {
    machine: (told) => {
      if (told.machine.id !== shown.current) return;
      setMachine(told.machine);
      setEntries((before) => [
        ...before,
        ...told.history.filter(({ revision }) => revision > (before.at(-1)?.revision ?? -1)),
      ]);
    },
  });
  const isOver = machine !== undefined && /^(ended|closing|settling)/.test(machine.state);
  useLook(id, isOver, setPhone);
  return {
    ...{ id, entries, isOver, phone },
    place: async ({ account, ...call }) => {
      const path = { account };
      const placed = await admin('POST /accounts/:account/sandbox-calls', { path, body: call });
      setEntries([]);
      setMachine(undefined);
      setPhone(undefined);
      setId(placed.id);
    },
    act: async (what) => {
      if (id !== undefined) setPhone(await admin('POST /machines/:id/phone', { path: { id }, body: what }));
    },
  };
};

/** Looks at the telephone until the call is over. */
const useLook = (id: string | undefined, isOver: boolean, show: (phone: Phone) => void): void => {
  useEffect(() => {
    if (id === undefined) return undefined;
    const leaving = new AbortController();
    const look = (): void =>
      void admin('GET /machines/:id/phone', { path: { id }, signal: leaving.signal }).then(
        (phone) => !leaving.signal.aborted && show(phone),
        // The next look is soon.
        () => undefined,
      );
    look();
    const timer = isOver ? undefined : setInterval(look, lookMs);
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [id, isOver]);
};
