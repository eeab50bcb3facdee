/** Deliveries: who does not take what is sent, with what to do beside it; and the dead letters of one receiver. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
// oxlint-disable-next-line import/no-unassigned-import -- the styles of this page come with it
import '../../styles/deliveries.css';
import { pageAddressStore } from '../../pageAddressStore.ts';
import { formatViewerClock, span } from '../../format.ts';
import { useStore } from '../../store.ts';
import { useStream } from '../../stream.ts';
import { HealthLight } from '../../ui/healthLight.tsx';
import { Mark, type StatusTone } from '../../ui/mark.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useLastNewsBeforeCut } from '../../ui/streamMark.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { formatLocalizedNumber, useTranslation } from '../../words/index.ts';
import { fetchDeliveryReceivers, type DeliveryReceiver, replayMatchingDeadLetters } from './data.ts';
import { useDeliveryAnswer, useReceiverName } from './deliveryAnswers.ts';
import { DeadLetterList } from './deadLetterList.tsx';
import { ReplayDeadLettersButton } from './replayButton.tsx';
import { useDeliveryWords } from './useDeliveryWords.ts';

export const DeliveriesPage = (): JSX.Element => {
  const say = useDeliveryWords();
  const { query } = useStore(pageAddressStore);
  const [version, setVersion] = useState(0);
  const { answer, failure } = useFetch(`receivers ${version}`, fetchDeliveryReceivers);
  const [told, setTold] = useState<readonly DeliveryReceiver[]>();
  useStream('receivers', { receivers: ({ receivers: now }) => setTold(now) });
  const receivers = told ?? answer;
  const again = (): void => setVersion(version + 1);
  const account = Number(query.get('account') ?? NaN);
  useEffect(() => {
    document.title = `${say('title')} · Ramal`;
  }, [say]);
  if (failure !== undefined) return <ErrorNotice error={failure} onAgain={again} />;
  if (!receivers) return <LoadingNotice />;
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        <Lead receivers={receivers} />
      </div>
      {receivers.length === 0 ? (
        <div class="empty">
          <h2>{say('noneTitle')}</h2>
          <p>{say('noneText')}</p>
        </div>
      ) : (
        <Receivers receivers={receivers} onEnd={again} />
      )}
      {Number.isInteger(account) && (
        <DeadLetterList
          key={`${account} ${query.get('target') ?? ''}`}
          account={account}
          target={query.get('target') ?? undefined}
          version={`${version} ${deadOf(receivers, account, query.get('target'))}`}
          onEnd={again}
        />
      )}
    </>
  );
};

/** While the stream is cut it is not claimed that all is taken: a receiver may refuse since. What was wrong stays said. */
const Lead = ({ receivers }: { receivers: readonly DeliveryReceiver[] }): JSX.Element => {
  const say = useDeliveryWords();
  const sayAll = useTranslation();
  const lastNews = useLastNewsBeforeCut();
  const dead = receivers.filter((one) => one.dead > 0);
  const count = dead.reduce((sum, one) => sum + one.dead, 0);
  const failing = receivers.filter((one) => feelingOf(one) === 'warn');
  const standing =
    dead.length > 0
      ? say(dead.length === 1 ? 'oneRefuses' : 'someRefuse', { count, receivers: dead.length })
      : failing.length > 0
        ? say('someFail', { receivers: failing.length })
        : say('allTaken');
  const isTroubled = dead.length > 0 || failing.length > 0;
  return (
    <p class="lead state">
      {isTroubled ? <Mark of={dead.length > 0 ? 'bad' : 'warn'} /> : <HealthLight isWell />}
      {isTroubled || lastNews === undefined ? standing : sayAll('stoodAtLastNews', { time: lastNews })}
    </p>
  );
};

/** How many letters of an account, or of one of its receivers, are dead. */
const deadOf = (receivers: readonly DeliveryReceiver[], account: number, target: string | null): number =>
  receivers
    .filter((one) => one.cdcs_id === account && (target === null || one.target === target))
    .reduce((sum, { dead }) => sum + dead, 0);

const Receivers = ({
  receivers,
  onEnd,
}: {
  receivers: readonly DeliveryReceiver[];
  onEnd(): void;
}): JSX.Element => {
  const say = useDeliveryWords();
  return (
    <section aria-labelledby="receivers">
      <div class="sh">
        <h2 id="receivers">{say('receivers')}</h2>
      </div>
      <div class="tw" tabIndex={0} role="group" aria-label={say('receivers')}>
        <table class="stack">
          <thead>
            <tr>
              <th>{say('receiver')}</th>
              <th>{say('account')}</th>
              <th>{say('health')}</th>
              <th class="num">{say('underWay')}</th>
              <th class="num">{say('waiting')}</th>
              <th class="num">{say('dead')}</th>
              <th>{say('lastAnswer')}</th>
              <th>{say('actions')}</th>
            </tr>
          </thead>
          <tbody>
            {receivers.map((one) => (
              <ReceiverRow key={`${one.cdcs_id} ${one.target}`} one={one} onEnd={onEnd} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};

const feelingOf = ({ dead, retrying, health }: DeliveryReceiver): StatusTone => {
  if (dead > 0) return 'bad';
  if (health?.state === 'open' || retrying > 0) return 'warn';
  return health === null ? 'wait' : 'good';
};

const ReceiverRow = ({ one, onEnd }: { one: DeliveryReceiver; onEnd(): void }): JSX.Element => {
  const say = useDeliveryWords();
  const sayAll = useTranslation();
  const { cdcs_id: account, target, dead } = one;
  const name = useReceiverName()(target);
  const answerOf = useDeliveryAnswer();
  const feeling = feelingOf(one);
  const href = `/admin/deliveries?${new URLSearchParams({ account: String(account), target })}`;
  return (
    <tr>
      <td data-l={say('receiver')} class="foreign">
        <a class="link foreign" data-row href={href} aria-label={say('open', { target: name })}>
          {name}
        </a>
      </td>
      <td data-l={say('account')} class="foreign">
        <a href={`/admin/accounts/${account}`}>{one.account || account}</a>
      </td>
      <td data-l={say('health')}>
        <span class="state">
          {feeling === 'good' ? <HealthLight isWell /> : <Mark of={feeling} />}
          <Health one={one} />
        </span>
      </td>
      <td data-l={say('underWay')} class="num">
        {formatLocalizedNumber(one.attempting)}
      </td>
      <td data-l={say('waiting')} class="num">
        {formatLocalizedNumber(one.retrying + one.waiting)}
      </td>
      <td data-l={say('dead')} class="num">
        {formatLocalizedNumber(dead)}
      </td>
      <td data-l={say('lastAnswer')} class="foreign">
        {answerOf(one) || '–'}
      </td>
      <td data-l={say('actions')}>
        {dead > 0 && (
          <ReplayDeadLettersButton
            label={say('replay', { count: dead })}
            question={sayAll(dead === 1 ? 'replayOneText' : 'replayText', { count: dead, target: name })}
            count={dead}
            work={(onDone) => replayMatchingDeadLetters({ account, target }, onDone)}
            onEnd={onEnd}
          />
        )}
      </td>
    </tr>
  );
};

/** What it does not take comes before how fast it is: one that refuses all may refuse fast. */
const Health = ({ one: { health, dead, retrying } }: { one: DeliveryReceiver }): JSX.Element => {
  const say = useDeliveryWords();
  if (dead > 0) return <span>{say(dead === 1 ? 'refusedOne' : 'refused', { count: dead })}</span>;
  if (!health) return <span class="dim">{say('unknown')}</span>;
  if (health.state !== 'closed' && health.next_at !== null)
    return <span>{say('leftAlone', { time: formatViewerClock(health.next_at) })}</span>;
  if (health.failures > 0) return <span>{say('failing', { count: health.failures })}</span>;
  if (retrying > 0) return <span>{say('comesAgain', { count: retrying })}</span>;
  return (
    <span>
      {say('takes')} <span class="dim">{say('usual', { time: span(health.usual_ms) })}</span>
    </span>
  );
};
