/** Who of a queue, or which agent, is free; who talks since when; and who waits. As the machine of the line remembers it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { QueueLineContext } from '../../../../../machines/callQueue/context.ts';
import { fetchMachine } from '../../data.ts';
import { span } from '../../format.ts';
import { type StatusTone, Mark } from '../../ui/mark.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { When } from '../../ui/when.tsx';
import { formatLocalizedNumber } from '../../words/index.ts';
import { useAccount } from './crumbs.tsx';
import type { RecordPanelProps } from './extras.ts';
import { type SettingsTranslationKey, useSettingsWords } from './useSettingsWords.ts';

export const AgentQueueState = ({ place, zone }: RecordPanelProps): JSX.Element | null => {
  const say = useSettingsWords();
  const account = useAccount(place.params['account']);
  const [version, setVersion] = useState(0);
  const id = account && `${account.shard}_${Object.values(place.params).at(-1)}`;
  const { answer } = useFetch(id === undefined ? undefined : `${id} ${version}`, () =>
    fetchMachine(id!, String(account!.cdcs_id)),
  );
  if (answer?.kind !== 'line') return null;
  // A declaration leaves contexts open; that of a line is its chart's.
  const memory = answer.context as unknown as QueueLineContext;
  const free = memory.members.filter((one) => stateOf(memory, one.member).word === 'memberFree').length;
  return (
    <section aria-labelledby="free">
      <div class="sh">
        <h2 id="free">{say('whoIsFree')}</h2>
        <span class="right">
          <a href={`/admin/machines/${id}?account=${account!.cdcs_id}`}>{say('machine')}</a>
          <button type="button" class="btn bare" onClick={() => setVersion(version + 1)}>
            {say('lookAgain')}
          </button>
        </span>
      </div>
      <p class="gap-above">{say('freeOf', { free, all: memory.members.length })}</p>
      <Waiting waiting={memory.waiting} />
      {memory.members.length > 0 && (
        <div class="tw" tabIndex={0} role="group" aria-label={say('whoIsFree')}>
          <table class="stack">
            <thead>
              <tr>
                <th>{say('member')}</th>
                <th>{say('memberState')}</th>
                <th class="num">{say('memberCalls')}</th>
              </tr>
            </thead>
            <tbody>
              {memory.members.map(({ member }) => (
                <tr key={member}>
                  <td data-l={say('member')} class="foreign">
                    {member}
                  </td>
                  <td data-l={say('memberState')}>
                    <MemberState memory={memory} member={member} zone={zone} shard={account!.shard} />
                  </td>
                  <td data-l={say('memberCalls')} class="num">
                    {formatLocalizedNumber(memory.standing[member]?.calls ?? 0)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

const Waiting = ({ waiting }: Pick<QueueLineContext, 'waiting'>): JSX.Element => {
  const say = useSettingsWords();
  const longest = Math.min(...waiting.map(({ joinedAt }) => joinedAt));
  return (
    <p class="dim">
      {waiting.length === 0
        ? say('noneWaits')
        : say('someWait', { count: waiting.length, time: span(Date.now() - longest) })}
    </p>
  );
};

interface State {
  word: Extract<SettingsTranslationKey, `member${string}`>;
  feeling: StatusTone;
  call?: number;
  since?: number;
}

/** A member that talks to fewer than it may is free as well; what it does is told first. */
const stateOf = ({ members, talks, offers, standing }: QueueLineContext, name: string): State => {
  const talk = talks.find(({ member }) => member === name);
  if (talk) return { word: 'memberTalks', feeling: 'good', call: talk.call, since: talk.since };
  const offer = offers.find(({ member }) => member === name);
  if (offer) return { word: 'memberRings', feeling: 'live', call: offer.call };
  if (members.find(({ member }) => member === name)?.active === false)
    return { word: 'memberOff', feeling: 'past' };
  const rest = standing[name]?.restUntil ?? 0;
  return rest > Date.now()
    ? { word: 'memberRests', feeling: 'wait', since: rest }
    : { word: 'memberFree', feeling: 'good' };
};

const MemberState = ({
  memory,
  member,
  zone,
  shard,
}: {
  memory: QueueLineContext;
  member: string;
  zone: string;
  shard: string;
}): JSX.Element => {
  const say = useSettingsWords();
  const { word, feeling, call, since } = stateOf(memory, member);
  return (
    <span class="state">
      <Mark of={feeling} />
      {say(word)}
      {since !== undefined && <When at={since} zone={zone} />}
      {call !== undefined && (
        <a class="link" href={`/admin/machines/${shard}_${call}`}>
          <code>{`${shard}_${call}`}</code>
        </a>
      )}
    </span>
  );
};
