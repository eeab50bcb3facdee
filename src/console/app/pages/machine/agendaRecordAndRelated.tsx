/** Beside the timeline: what happens next, the record, and the machines that belong to this one. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type MachineAgendaItem, type ConsoleStreamMachine, type MachineAtMoment } from '../../data.ts';
import { span } from '../../format.ts';
import { kindName } from '../../kindName.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';
import { When } from '../../ui/when.tsx';
import { useTranslation } from '../../words/index.ts';
import { RecordValue } from './recordValue.tsx';
import { EffectOrders } from './retryOrCancelEffect.tsx';

interface ZonedProps {
  /** Of the account: times are those of its clock. */
  zone: string;
}

/** The time, every second. */
const useSecond = (): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
};

export const MachineAgenda = ({
  machine,
  zone,
}: ZonedProps & { machine: ConsoleStreamMachine }): JSX.Element => {
  const say = useTranslation();
  const now = useSecond();
  return (
    <section aria-labelledby="agenda">
      <div class="sh">
        <h2 id="agenda">{say('whatHappensNext')}</h2>
      </div>
      {machine.agenda.length === 0 ? (
        <p class="dim gap-above">{say(machine.endedAt === null ? 'waitsForEvent' : 'nothingMore')}</p>
      ) : (
        <ul class="agenda">
          {machine.agenda.map((item) => (
            <Due key={item.id} machine={machine} item={item} now={now} zone={zone} />
          ))}
        </ul>
      )}
    </section>
  );
};

/** In the past: what was owed at the moment that is shown. */
export const AgendaAtMoment = ({
  moment: { entry, owed },
  zone,
}: ZonedProps & { moment: MachineAtMoment }): JSX.Element => {
  const say = useTranslation();
  return (
    <section aria-labelledby="agenda">
      <div class="sh">
        <h2 id="agenda">{say('owedThen')}</h2>
      </div>
      {owed.length === 0 ? (
        <p class="dim gap-above">{say('nothingOwedThen')}</p>
      ) : (
        <ul class="agenda">
          {owed.map(({ what, name, dueAt }, nth) => (
            <li key={nth}>
              <span>
                <code>{timerName(name)}</code>
                <span class="dimmer small">{say(what)}</span>
              </span>
              <span class="num">
                {dueAt === null || !entry ? (
                  <span class="dimmer">{say('askedForThen')}</span>
                ) : (
                  <>
                    {say('inTime', { time: span(Math.max(0, dueAt - entry.at)) })}
                    <span class="dimmer small">
                      <When at={dueAt} zone={zone} />
                    </span>
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

/** `ringGuard` of `xstate.after.ringGuard.call.dialing`. */
const timerName = (name: string): string => /^xstate\.after\.([^.]+)\./.exec(name)?.[1] ?? name;

const Due = ({
  machine,
  item,
  now,
  zone,
}: ZonedProps & {
  machine: ConsoleStreamMachine;
  item: MachineAgendaItem;
  now: number;
}): JSX.Element => {
  const say = useTranslation();
  const left = item.dueAt - now;
  return (
    <li>
      <span>
        <code>{timerName(item.name)}</code>
        <span class="dimmer small">
          {say(item.what === 'timer' ? 'timer' : 'effect')}
          {item.tries !== undefined && item.tries > 0 && ` · ${say('triedTimes', { count: item.tries })}`}
        </span>
      </span>
      <span class="num">
        {left > 0 ? say('inTime', { time: span(left) }) : say('dueNow')}
        <span class="dimmer small">
          <When at={item.dueAt} zone={zone} />
        </span>
      </span>
      {item.what === 'effect' && <EffectOrders machine={machine} item={item} />}
    </li>
  );
};

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || value === '[]' || value === '{}';

export const MachineRecordSection = ({
  record,
  zone,
}: ZonedProps & {
  record: Record<string, unknown> | null;
}): JSX.Element | null => {
  const say = useTranslation();
  if (!record) return null;
  return (
    <section aria-labelledby="record">
      <div class="sh">
        <h2 id="record">{say('record')}</h2>
      </div>
      <dl class="kv gap-above">
        {Object.entries(record)
          .filter(([, value]) => !isEmpty(value))
          .map(([name, value]) => (
            <>
              <dt>
                <code>{name}</code>
              </dt>
              <dd class="foreign">
                <RecordValue {...{ name, value, zone }} />
              </dd>
            </>
          ))}
      </dl>
    </section>
  );
};

/** What the record names: the campaign of a call, what a delivery is about. */
const relatedOf = (
  { shard, account, kind, context }: ConsoleStreamMachine,
  record: Record<string, unknown> | null,
) => {
  const related: { kind: string; id: string; href: string }[] = [];
  const add = (what: string, id: unknown): void => {
    const text = toTextOrJson(id);
    if (!/^\d{1,16}$/.test(text) || text === '0') return;
    related.push({
      kind: what,
      id: `${shard}_${text}`,
      href: `/admin/machines/${shard}_${text}?account=${account}`,
    });
  };
  if (kind === 'call' || kind === 'message') add('campaign', record?.['campaign_id']);
  add('about', record?.['about_id']);
  add('message', record?.['sms_id']);
  const { callback, delivery } = (context ?? {}) as { callback?: { delivery?: unknown }; delivery?: unknown };
  add('delivery', callback?.delivery ?? delivery);
  return related;
};

export const RelatedMachines = ({
  machine,
  record,
}: {
  machine: ConsoleStreamMachine;
  record: Record<string, unknown> | null;
}): JSX.Element | null => {
  const say = useTranslation();
  const related = relatedOf(machine, record);
  if (related.length === 0) return null;
  return (
    <section aria-labelledby="related">
      <div class="sh">
        <h2 id="related">{say('relatedMachines')}</h2>
      </div>
      <ul class="agenda">
        {related.map(({ kind, id, href }) => (
          <li key={id}>
            <a class="link" href={href} data-row>
              {kindName(kind, say)} <code>{id}</code>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
