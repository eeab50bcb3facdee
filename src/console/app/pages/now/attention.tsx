/** What needs an operator, first on the page, each with what to do beside it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError, signedInAdministratorStore } from '../../api.ts';
import { type ServiceOverview, replayDeadLetters } from '../../data.ts';
import { span } from '../../format.ts';
import { Mark, type StatusTone } from '../../ui/mark.tsx';
import { toast } from '../../ui/toast.tsx';
import { formatLocalizedNumber, type Say, useTranslation } from '../../words/index.ts';

export interface OperatorAlert {
  key: string;
  feeling: StatusTone;
  /** How the list is filtered. */
  group: 'voice' | 'deliveries' | 'messages' | 'service';
  title: string;
  text: string;
  /** Since when, epoch milliseconds. */
  since?: number;
  href?: string;
  action?: { label: string; run(): Promise<string> };
}

const groupOf = (kind: string): OperatorAlert['group'] => {
  if (kind === 'delivery') return 'deliveries';
  if (kind === 'message' || kind === 'template') return 'messages';
  return 'voice';
};

/** Others take over a node's machines after ten seconds of silence; so old a beat is news, milliseconds. */
const silentMs = 30_000;

/** All that needs an operator, the worst first. */
export const listOperatorAlerts = (overview: ServiceOverview, say: Say): OperatorAlert[] => [
  ...overview.shards.map((text) => ({
    ...{ key: text, feeling: 'bad' as const, group: 'service' as const, title: say('shardNotServed'), text },
  })),
  ...overview.checks
    .filter(({ ok }) => !ok)
    .map(({ name, detail }) => ({
      ...{ key: `check ${name}`, feeling: 'bad' as const, group: 'service' as const },
      ...{ title: say('checkFails', { name }), text: detail },
    })),
  ...overview.nodes
    .filter(({ beat_at: beat, lost_at: lost }) => lost === null && overview.at - beat > silentMs)
    .map(({ name, beat_at: since, shard }) => ({
      ...{ key: `node ${shard} ${name}`, feeling: 'bad' as const, group: 'service' as const, since },
      ...{
        title: say('nodeSilent', { name }),
        text: say('nodeSilentText', { time: span(overview.at - since) }),
      },
    })),
  ...overview.nodes.flatMap(({ name, lost_at: since, shard }) =>
    since === null
      ? []
      : {
          ...{
            key: `lost ${shard} ${name} ${since}`,
            feeling: 'bad' as const,
            group: 'service' as const,
            since,
          },
          ...{ title: say('nodeLost', { name }), text: say('nodeLostText') },
        },
  ),
  ...overview.deadLetters.map((letters) => deadLettersOf(letters, overview, say)),
  ...overview.troubled
    .filter(({ kind, state }) => kind !== 'delivery' || state !== 'deadLetter')
    .map(({ id, account, kind, attention, created_at }) => ({
      ...{ key: `${account} ${id}`, feeling: 'bad' as const, group: groupOf(kind), since: created_at },
      ...{ title: say('machineTroubled', { kind, id }), text: attention },
      href: `/admin/machines/${id}?account=${account}`,
    })),
];

const deadLettersOf = (
  { account_id: account, target, count, last_error, since }: ServiceOverview['deadLetters'][number],
  { accounts }: ServiceOverview,
  say: Say,
): OperatorAlert => ({
  ...{ key: `dead ${account} ${target}`, feeling: 'bad', group: 'deliveries', since },
  title: say(count === 1 ? 'deadLetter' : 'deadLetters', { count, target }),
  text: say('deadLettersText', { account: accounts[account] ?? String(account), error: last_error }),
  href: `/admin/deliveries?${new URLSearchParams({ account: String(account), target })}`,
  action: {
    label: say('replayAll'),
    run: async () => {
      const { replayed } = await replayDeadLetters(account);
      return say('replayed', { count: replayed });
    },
  },
});

const groups = ['voice', 'deliveries', 'messages', 'service'] as const;

export const OperatorAlerts = ({ overview }: { overview: ServiceOverview }): JSX.Element => {
  const say = useTranslation();
  const [chosen, setChosen] = useState<OperatorAlert['group'] | 'all'>('all');
  const all = listOperatorAlerts(overview, say);
  const shown = all.filter(({ group }) => chosen === 'all' || group === chosen);
  const counts = groups.map((group) => ({ group, count: all.filter((one) => one.group === group).length }));
  return (
    <section aria-labelledby="attention">
      <div class="sh">
        <h2 id="attention">{say('needsAttention')}</h2>
        {all.length > 0 && (
          <div class="seg" role="group" aria-label={say('kind')}>
            {[{ group: 'all' as const, count: all.length }, ...counts.filter(({ count }) => count > 0)].map(
              ({ group, count }) => (
                <button
                  key={group}
                  type="button"
                  aria-pressed={chosen === group}
                  onClick={() => setChosen(group)}
                >
                  {say(group)}
                  <span class="c">{formatLocalizedNumber(count)}</span>
                </button>
              ),
            )}
          </div>
        )}
      </div>
      {all.length === 0 ? (
        <p class="dim gap-above state">
          <Mark of="good" />
          {say('nothingNeedsYou')}
        </p>
      ) : (
        <ul class="attention">
          {shown.map((trouble) => (
            <TroubleRow key={trouble.key} trouble={trouble} now={overview.at} />
          ))}
        </ul>
      )}
    </section>
  );
};

const TroubleRow = ({ trouble, now }: { trouble: OperatorAlert; now: number }): JSX.Element => {
  const say = useTranslation();
  const { feeling, title, text, since, href, action } = trouble;
  return (
    <li data-row>
      <Mark of={feeling} />
      <div class="what">
        <b class="foreign">{title}</b>
        <span class="dim foreign">{text}</span>
      </div>
      <span class="age">{since === undefined ? '' : span(now - since)}</span>
      <div class="acts">
        {action && <ActionButton {...action} />}
        {href !== undefined && (
          <a class="btn bare" href={href}>
            {say('open')}
            <span class="vh">: {title}</span>
          </a>
        )}
      </div>
    </li>
  );
};

const ActionButton = ({ label, run }: NonNullable<OperatorAlert['action']>): JSX.Element => {
  const say = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const act = async (): Promise<void> => {
    setBusy(true);
    try {
      toast(await run());
    } catch (error) {
      const isRefused = error instanceof AdminApiRequestError && error.status === 403;
      if (typeof signedInAdministratorStore.get() === 'object')
        toast(
          isRefused
            ? say('onlyAdministrator')
            : error instanceof AdminApiRequestError && error.status !== 0
              ? error.message
              : say('errorUnreachable'),
        );
    }
    setBusy(false);
  };
  return (
    <button type="button" class="btn" disabled={isBusy} onClick={() => void act()}>
      {label}
    </button>
  );
};
