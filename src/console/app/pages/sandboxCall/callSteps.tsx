/** What the service does with the call: a line for each step, with its state and the time since the first. */
import type { JSX } from 'preact';
import type { MachineEventEntry } from '../../data.ts';
import { formatLocalizedNumber } from '../../words/index.ts';
import { useTryWords } from './useTryWords.ts';

interface PathProps {
  id: string | undefined;
  entries: readonly MachineEventEntry[];
  isOver: boolean;
}

export const Path = ({ id, entries, isOver }: PathProps): JSX.Element => {
  const say = useTryWords();
  const began = entries[0]?.at ?? 0;
  return (
    <section aria-labelledby="does">
      <div class="sh">
        <h2 id="does">{say('does')}</h2>
        <div class="right">{id !== undefined && <code>{id}</code>}</div>
      </div>
      {entries.length === 0 && <p class="dim">{say('nothingYet')}</p>}
      <ol class="path">
        {entries.map(({ revision, at, event, state }, index) => (
          <li key={revision} class={index === entries.length - 1 && !isOver ? 'on now' : 'on'}>
            <span class="dotm" />
            <code>{state}</code>
            <span class="dim small what">
              {formatLocalizedNumber((at - began) / 1000, 1)} s, {event}
            </span>
          </li>
        ))}
      </ol>
      {isOver && id !== undefined && (
        <>
          <p>{say('durable')}</p>
          <p class="acts">
            <a class="btn primary" href={`/admin/machines/${id}`}>
              {say('open')}
            </a>
          </p>
        </>
      )}
    </section>
  );
};
