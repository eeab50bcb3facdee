/** Machines that a filter leaves, by page. */
import type { JSX } from 'preact';
import { fetchMachines, type ListedMachine } from '../../data.ts';
import { kindName } from '../../kindName.ts';
import { toStatusTone } from '../../stateFeeling.ts';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { TranslatedServiceSentence } from '../../ui/serviceSentence.tsx';
import { useTranslation } from '../../words/index.ts';
import { ResultTable, StandingCells } from './resultTable.tsx';

export const FilteredMachines = ({ filter }: { filter: URLSearchParams }): JSX.Element => {
  const say = useTranslation();
  const { answer, failure, again } = useFetch(String(filter), (signal) =>
    fetchMachines(Object.fromEntries(filter), signal),
  );
  if (failure !== undefined) return <ErrorNotice error={failure} isPart onAgain={again} />;
  if (!answer) return <LoadingNotice />;
  if (answer.machines.length === 0) return <p class="dim gap-above">{say('noMachine')}</p>;
  return (
    <>
      <ResultTable columns={['machine', 'kind']}>
        {answer.machines.map((machine) => (
          <MachineLine
            key={`${machine.account} ${machine.id}`}
            machine={machine}
            account={answer.accounts[machine.account]}
            zone={answer.zones[machine.account]}
          />
        ))}
      </ResultTable>
      {answer.cursor !== null && (
        <p class="gap-above">
          <a class="btn" href={`/admin/find?${pageAt(filter, answer.cursor)}`}>
            {say('nextPage')}
          </a>
        </p>
      )}
    </>
  );
};

const pageAt = (filter: URLSearchParams, cursor: string): URLSearchParams => {
  const next = new URLSearchParams(filter);
  next.set('cursor', cursor);
  return next;
};

interface MachineLineProps {
  machine: ListedMachine;
  account: string | undefined;
  zone: string | undefined;
}

const MachineLine = ({ machine, account, zone }: MachineLineProps): JSX.Element => {
  const say = useTranslation();
  return (
    <tr>
      <td data-l={say('machine')}>
        <a class="link" data-row href={`/admin/machines/${machine.id}?account=${machine.account}`}>
          {machine.title !== null && <span class="foreign">{machine.title} </span>}
          <code class={machine.title === null ? '' : 'sub'}>{machine.id}</code>
        </a>
        {machine.attention_in_words !== null && (
          <span class="sub bad foreign">
            <TranslatedServiceSentence says={machine.attention_in_words} zone={zone} />
          </span>
        )}
      </td>
      <td data-l={say('kind')}>{kindName(machine.kind, say)}</td>
      <StandingCells
        tone={toStatusTone(machine.kind, machine.state, machine.attention)}
        state={machine.state}
        account={account ?? machine.account}
        at={machine.created_at}
        zone={zone}
      />
    </tr>
  );
};
