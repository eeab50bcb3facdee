/** One event: what came with it, what the machine asked for then, and which timers it set. */
import type { JSX } from 'preact';
import type { Entry } from '../../data.ts';
import { clockMs, span } from '../../format.ts';
import { textOf } from '../../textOf.ts';
import { useWords } from '../../words/index.ts';
import { askedOf } from './history.ts';

export const Moment = ({ entry }: { entry: Entry }): JSX.Element => {
  const say = useWords();
  const { effects, timers, error } = askedOf(entry);
  return (
    <section aria-labelledby="moment" aria-live="polite">
      <div class="sh">
        <h2 id="moment">
          {say('revisionIs', { revision: String(entry.revision) })} <code>{entry.event}</code>
        </h2>
        <span class="right">{clockMs(entry.at)}</span>
      </div>
      <div class="inspect">
        <h3>{say('broughtWithIt')}</h3>
        <Brought payload={entry.payload} />
        <h3>{say('askedFor')}</h3>
        {error !== undefined && <p class="bad foreign">{error}</p>}
        {effects.length === 0 && error === undefined && <p class="dim">{say('noEffect')}</p>}
        <ul>
          {effects.map((effect, nth) => (
            <li key={nth}>
              <code>{effect}</code>
            </li>
          ))}
        </ul>
        {timers.map(({ name, ms }) => (
          <p class="dim" key={name}>
            {say('timer')} <code>{name}</code> {span(ms)}
          </p>
        ))}
      </div>
    </section>
  );
};

const Brought = ({ payload }: { payload: unknown }): JSX.Element => {
  const say = useWords();
  if (typeof payload !== 'object' || payload === null) return <p class="dim">{say('nothing')}</p>;
  const fields = Object.entries(payload).filter(([name]) => name !== 'type');
  if (fields.length === 0) return <p class="dim">{say('nothing')}</p>;
  return (
    <dl class="kv">
      {fields.map(([name, value]) => (
        <Field key={name} name={name} value={value} />
      ))}
    </dl>
  );
};

/** A value from outside, as text. */
const Field = ({ name, value }: { name: string; value: unknown }): JSX.Element => (
  <>
    <dt>
      <code>{name}</code>
    </dt>
    <dd class="foreign">{textOf(value)}</dd>
  </>
);
