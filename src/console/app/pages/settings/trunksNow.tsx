/** How trunks fare at this moment: their load, who answers, what fails; and a click that lets no new call go by one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { StreamEventPayloads } from '../../../../admin/console/news.ts';
import { adminApiClient, AdminApiRequestError } from '../../api.ts';
import { useStream } from '../../stream.ts';
import { type StatusTone, Mark } from '../../ui/mark.tsx';
import { toast } from '../../ui/toast.tsx';
import { formatLocalizedNumber } from '../../words/index.ts';
import { useHasRole } from './may.ts';
import { type SettingsTranslationKey, useSettingsWords } from './useSettingsWords.ts';

type Trunk = StreamEventPayloads['trunks']['trunks'][number];
type State = Trunk['state'];

export const TrunksNow = (): JSX.Element | null => {
  const say = useSettingsWords();
  const [trunks, setTrunks] = useState<readonly Trunk[]>();
  useStream('trunks', { trunks: ({ trunks: now }) => setTrunks(now) });
  if (!trunks || trunks.length === 0) return null;
  const heads: readonly (readonly [SettingsTranslationKey, string?])[] = [
    ...([['trunk'], ['trunkState'], ['liveLegs', 'num'], ['answersOf', 'num']] as const),
    ...([['ringsAfter', 'num'], ['failures'], ['newCalls']] as const),
  ];
  return (
    <section aria-labelledby="trunks-now">
      <div class="sh">
        <h2 id="trunks-now">{say('trunksNow')}</h2>
      </div>
      <div class="tw" tabIndex={0} role="group" aria-label={say('trunksNow')}>
        <table class="stack">
          <thead>
            <tr>
              {heads.map(([word, kind]) => (
                <th key={word} class={kind}>
                  {say(word)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {trunks.map((trunk) => (
              <TrunkLine key={trunk.trunk_id} trunk={trunk} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="small dimmer">{say('trunksNowNote')}</p>
    </section>
  );
};

const TrunkLine = ({ trunk }: { trunk: Trunk }): JSX.Element => {
  const say = useSettingsWords();
  const { health } = trunk;
  const ratio = health.answer_seizure_ratio;
  const rings = health.post_dial_ms;
  return (
    <tr data-trunk={trunk.name}>
      <td data-l={say('trunk')}>
        <a class="strong foreign" href={`/admin/trunks/${trunk.trunk_id}`}>
          {trunk.name}
        </a>
        <span class="sub foreign">{trunk.server}</span>
      </td>
      <td data-l={say('trunkState')}>
        <TrunkState trunk={trunk} />
      </td>
      <td data-l={say('liveLegs')} class="num">
        <span>
          {formatLocalizedNumber(trunk.legs_of_all)}
          <span class="sub">{say('legsOf', { most: formatLocalizedNumber(trunk.legs) })}</span>
        </span>
      </td>
      <td data-l={say('answersOf')} class="num">
        {ratio === null ? '–' : `${formatLocalizedNumber(100 * ratio, 1)} %`}
      </td>
      <td data-l={say('ringsAfter')} class="num nowrap">
        {rings === null ? '–' : `${formatLocalizedNumber(rings / 1_000, 1)} s`}
      </td>
      <td data-l={say('failures')}>{failuresOf(health.causes)}</td>
      <td data-l={say('newCalls')}>
        <Acts trunk={trunk} />
      </td>
    </tr>
  );
};

/** `503 × 4, Q34 × 1`, the most frequent first. */
const failuresOf = (causes: Record<string, number>): string => {
  const told = Object.entries(causes).toSorted(([, one], [, other]) => other - one);
  return told.length === 0
    ? '–'
    : told.map(([cause, count]) => `${cause} × ${formatLocalizedNumber(count)}`).join(', ');
};

const feelings: Record<State, StatusTone> = { on: 'good', draining: 'wait', off: 'past' };
const words = {
  on: 'trunkOn',
  draining: 'trunkDraining',
  off: 'trunkOff',
} as const satisfies Record<State, SettingsTranslationKey>;

const TrunkState = ({ trunk: { state, health } }: { trunk: Trunk }): JSX.Element => {
  const say = useSettingsWords();
  const rests = state === 'on' ? health.rests_for_ms : null;
  return (
    <span class="state">
      <Mark of={rests === null ? feelings[state] : 'warn'} />
      {rests === null ? say(words[state]) : say('trunkRests', { seconds: Math.ceil(rests / 1_000) })}
    </span>
  );
};

const next: Record<State, readonly State[]> = {
  on: ['draining', 'off'],
  draining: ['on', 'off'],
  off: ['on'],
};
const verbs = {
  on: 'letCallsGo',
  draining: 'drainIt',
  off: 'switchItOff',
} as const satisfies Record<State, SettingsTranslationKey>;
const done = {
  on: 'callsGo',
  draining: 'itDrains',
  off: 'itIsOff',
} as const satisfies Record<State, SettingsTranslationKey>;

const Acts = ({ trunk: { trunk_id, name, state } }: { trunk: Trunk }): JSX.Element => {
  const say = useSettingsWords();
  const may = useHasRole('admin');
  const [busy, setBusy] = useState(false);
  const change = async (to: State): Promise<void> => {
    setBusy(true);
    try {
      await adminApiClient('PATCH /trunks/:id', { path: { id: trunk_id }, body: { state: to } });
      toast(say(done[to], { trunk: name }));
    } catch (error) {
      toast(
        error instanceof AdminApiRequestError && error.message !== '' ? error.message : say('trunkUnchanged'),
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <span class="acts">
      {next[state].map((to) => (
        <button
          key={to}
          type="button"
          class="btn"
          disabled={!may || busy}
          title={may ? undefined : say('onlyAdministrator')}
          onClick={() => void change(to)}
        >
          {say(verbs[to])}
        </button>
      ))}
    </span>
  );
};
