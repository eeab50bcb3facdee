/** A call of the sandbox: placed, followed to its end, and its telephone. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AdminRouteAnswer, AdminBody } from '../../../../admin/client.ts';
import { adminApiClient } from '../../api.ts';
import type { MachineEventEntry, ConsoleStreamMachine } from '../../data.ts';
import { useStream } from '../../stream.ts';

/** The call that is to be placed, and whose. */
export type SandboxCallRequest = AdminBody<'POST /accounts/:account/sandbox-calls'> & { account: number };

/** The telephone of the called person. */
export type SandboxPhoneState = AdminRouteAnswer<'GET /machines/:id/phone'>;

export type Act = { do: 'answer' | 'reject' | 'hangUp' } | { do: 'press'; key: string };

export interface Call {
  id: string | undefined;
  entries: readonly MachineEventEntry[];
  isOver: boolean;
  phone: SandboxPhoneState | undefined;
  place(wanted: SandboxCallRequest): Promise<void>;
  act(what: Act): Promise<void>;
}

/** While it rings or speaks its telephone is looked at so often, milliseconds: what is heard is no step of the call. */
const lookMs = 500;

export const useSandboxCall = (): Call => {
  const [id, setId] = useState<string>();
  const [entries, setEntries] = useState<readonly MachineEventEntry[]>([]);
  const [machine, setMachine] = useState<ConsoleStreamMachine>();
  const [phone, setPhone] = useState<SandboxPhoneState>();
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
      const placed = await adminApiClient('POST /accounts/:account/sandbox-calls', { path, body: call });
      setEntries([]);
      setMachine(undefined);
      setPhone(undefined);
      setId(placed.id);
    },
    act: async (what) => {
      if (id !== undefined)
        setPhone(await adminApiClient('POST /machines/:id/phone', { path: { id }, body: what }));
    },
  };
};

/** Looks at the telephone until the call is over. */
const useLook = (id: string | undefined, isOver: boolean, show: (phone: SandboxPhoneState) => void): void => {
  useEffect(() => {
    if (id === undefined) return undefined;
    const leaving = new AbortController();
    const look = (): void =>
      void adminApiClient('GET /machines/:id/phone', { path: { id }, signal: leaving.signal }).then(
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
