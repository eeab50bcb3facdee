/** The head of a machine's page: what it is, where it is, and what can be done to it; or why it cannot be shown. */
import type { JSX } from 'preact';
import { AdminApiRequestError } from '../../api.ts';
import type { ConsoleStreamMachine, MachineAtMoment, MachineEventEntry } from '../../data.ts';
import { kindName } from '../../kindName.ts';
import { toStatusTone } from '../../stateFeeling.ts';
import { Icon } from '../../ui/icons.tsx';
import { Mark } from '../../ui/mark.tsx';
import { ErrorNotice, NotFoundNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { copyText } from '../../ui/copyText.ts';
import { useTranslation } from '../../words/index.ts';
import { Act } from './act.tsx';
import type { OperatorEvents } from './eventForm.tsx';

interface HeadProps {
  machine: ConsoleStreamMachine;
  moment: MachineAtMoment | undefined;
  title: string;
  isPast: boolean;
  events: OperatorEvents;
  /** Of the account. */
  zone: string;
}

export const MachineHead = ({ machine, moment, title, isPast, events, zone }: HeadProps): JSX.Element => {
  const say = useTranslation();
  const state = (isPast && moment?.entry?.state) || machine.state;
  return (
    <>
      <p class="crumb small dim">
        <a href={`/admin/find?kind=${machine.kind}`}>{kindName(machine.kind, say)}</a> /{' '}
        <code>{machine.id}</code>
      </p>
      <div class="head">
        <h1 class="foreign">{title}</h1>
        <span class="chip" data-state={state}>
          <Mark of={toStatusTone(machine.kind, state, isPast ? null : machine.attention)} />
          <code>{state}</code>
        </span>
        <span class="grow" />
        <button
          type="button"
          class="btn bare"
          onClick={() => void copyText(linkTo(moment?.entry ?? null), say('linkCopied'))}
        >
          <Icon name="link" />
          {say('copyLink')}
        </button>
        <Act {...{ machine, isPast, events, zone }} />
      </div>
    </>
  );
};

const linkTo = (entry: MachineEventEntry | null): string => {
  const where = `${location.origin}${location.pathname}${location.search}`;
  return entry ? `${where}#rev=${entry.revision}` : where;
};

/** Why it cannot be shown, and where to look for it. */
export const NoMachine = ({ id, failure }: { id: string; failure: unknown }): JSX.Element => {
  const status = failure instanceof AdminApiRequestError ? failure.status : 0;
  if (status === 404)
    return <NotFoundNotice title="machineMissingTitle" text="machineMissingText" query={id} />;
  if (status === 409)
    return <NotFoundNotice title="machineOfSeveralTitle" text="machineOfSeveralText" query={id} />;
  return <ErrorNotice error={failure} onAgain={() => location.reload()} />;
};
