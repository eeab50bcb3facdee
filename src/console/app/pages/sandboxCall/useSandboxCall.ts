/** A call of the sandbox: placed, followed to its end, and its telephone. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AdminRouteAnswer, AdminBody } from '../../../../admin/client.ts';
import { adminApiClient, AdminApiRequestError } from '../../api.ts';
import type { MachineEventEntry, ConsoleStreamMachine } from '../../data.ts';
import { go, goUnlessLeft, pageAddressStore } from '../../pageAddressStore.ts';
import { useStore } from '../../store.ts';
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
  /** It rings or talks, and this node of the service has no telephone of it: another one carries it. */
  isElsewhere: boolean;
  place(wanted: SandboxCallRequest): Promise<void>;
  act(what: Act): Promise<void>;
}

/** While it rings or speaks its telephone is looked at so often, milliseconds: what is heard is no step of the call. */
const lookMs = 500;

/** Is up so long and without its telephone, milliseconds: then it is at another node. */
const elsewhereMs = 2_000;

/** The call that the address names (`?call=a_17`): a page that is loaded again takes it up where it is. */
export const useSandboxCall = (): Call => {
  const id = useStore(pageAddressStore).query.get('call') ?? undefined;
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
  useEffect(() => {
    setEntries([]);
    setMachine(undefined);
    setPhone(undefined);
  }, [id]);
  useLook(id, isOver, setPhone);
  const isUp = machine !== undefined && /^(dialing\.ringing|answered)/.test(machine.state);
  const isElsewhere = useLasts(isUp && phone?.state === 'none', elsewhereMs);
  return {
    ...{ id, entries, isOver, phone, isElsewhere },
    place: async ({ account, ...call }) => {
      const path = { account };
      const goOn = goUnlessLeft();
      const placed = await adminApiClient('POST /accounts/:account/sandbox-calls', { path, body: call });
      goOn(`/admin/try?call=${placed.id}`, { replace: true });
    },
    act: async (what) => {
      if (id !== undefined)
        setPhone(await adminApiClient('POST /machines/:id/phone', { path: { id }, body: what }));
    },
  };
};

/** Whether something has been so for a while. */
const useLasts = (isSo: boolean, ms: number): boolean => {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    setLasts(false);
    if (!isSo) return undefined;
    const timer = setTimeout(() => setLasts(true), ms);
    return () => clearTimeout(timer);
  }, [isSo, ms]);
  return isSo && lasts;
};

/** Looks at the telephone until the call is over. */
const useLook = (id: string | undefined, isOver: boolean, show: (phone: SandboxPhoneState) => void): void => {
  useEffect(() => {
    if (id === undefined) return undefined;
    const leaving = new AbortController();
    const look = (): void =>
      void adminApiClient('GET /machines/:id/phone', { path: { id }, signal: leaving.signal }).then(
        (phone) => !leaving.signal.aborted && show(phone),
        (error: unknown) => {
          // It is no call, or none that rings here; any other failure is looked after soon.
          if (error instanceof AdminApiRequestError && (error.status === 404 || error.status === 409))
            go('/admin/try', { replace: true });
        },
      );
    look();
    const timer = isOver ? undefined : setInterval(look, lookMs);
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [id, isOver]);
};
