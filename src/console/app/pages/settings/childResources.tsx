/** What belongs to a record: its own lists, by subject. */
import type { JSX } from 'preact';
import { fill } from './settingsPageAddresses.ts';
import type { AdminApiResource } from './resourcesFromOpenApi.ts';
import { type SettingsTranslationKey, useResourceNames, useSettingsWords } from './useSettingsWords.ts';

/** Lists of a record's own. */
export const childResourcesOf = (
  of: AdminApiResource,
  resources: ReadonlyMap<string, AdminApiResource>,
): AdminApiResource[] => {
  const one = of.one?.replaceAll(/\{\w+\}/g, '{}');
  if (one === undefined) return [];
  return [...resources.values()].filter(({ at }) => {
    const plain = at.replaceAll(/\{\w+\}/g, '{}');
    return plain.startsWith(`${one}/`) && !plain.slice(one.length + 1).includes('/');
  });
};

/** Subjects as the reference names them. */
const subjects: Readonly<Record<string, SettingsTranslationKey>> = {
  'Operators, sessions and the audit log': 'subjectAccess',
  'Accounts, tokens and money': 'subjectAccounts',
  'Agents, queues and voices': 'subjectVoice',
  'Trunks and their routes': 'subjectTrunks',
  Audio: 'subjectAudio',
  'Lists and block lists': 'subjectLists',
  Campaigns: 'subjectCampaigns',
  'SMS routes and prices': 'subjectSms',
  'Chat lines': 'subjectChat',
  Templates: 'subjectTemplates',
  'Callbacks and deliveries': 'subjectDeliveries',
  'Machines and nodes': 'subjectMachines',
  'What the console shows': 'subjectConsole',
};

/** By subject, in the order of the declarations. */
const grouped = (parts: readonly AdminApiResource[]): [subject: string, resources: AdminApiResource[]][] => {
  const groups = new Map<string, AdminApiResource[]>();
  for (const part of parts) groups.set(part.subject, [...(groups.get(part.subject) ?? []), part]);
  return [...groups];
};

interface PartsProps {
  parts: readonly AdminApiResource[];
  params: Readonly<Record<string, string>>;
}

export const ChildResourceSection = ({ parts, params }: PartsProps): JSX.Element => {
  const say = useSettingsWords();
  return (
    <section aria-labelledby="parts">
      <div class="sh">
        <h2 id="parts">{say('partsOf')}</h2>
      </div>
      <ChildResourceLinks {...{ parts, params }} />
    </section>
  );
};

export const ChildResourceLinks = ({
  parts,
  params,
  heading: Heading = 'h3',
}: PartsProps & { heading?: 'h2' | 'h3' }): JSX.Element => {
  const say = useSettingsWords();
  const names = useResourceNames();
  return (
    <div class="parts">
      {grouped(parts).map(([subject, resources]) => (
        <div key={subject}>
          <Heading>{subjects[subject] ? say(subjects[subject]) : subject}</Heading>
          <ul>
            {resources.map(({ at }) => (
              <li key={at} data-row>
                <a class="link" href={`/admin${fill(at, params)}`} title={names(at).says}>
                  {names(at).many}
                </a>
                {Heading === 'h2' && <span class="hint">{names(at).says}</span>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
};
