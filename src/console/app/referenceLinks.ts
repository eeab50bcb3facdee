/** Where operations stand in the reference at `/docs`. Its addresses hold what is known of parameters, and no secret. Pure. */
import { decodeAddressPart } from './decodeAddressPart.ts';

/** An operation of the interface, or of the admin API, under its subject. */
interface ReferencedOperation {
  isAdmin: boolean;
  subject: string;
  id: string;
}

/** Parameters whose values a page knows. */
type KnownParameters = Readonly<Record<string, string>>;

const admin = (subject: string, id: string): ReferencedOperation => ({ isAdmin: true, subject, id });
const open = (subject: string, id: string): ReferencedOperation => ({ isAdmin: false, subject, id });

/** What the pages ask for, by their area of the address; those of settings say it at their forms. */
export const referencedOperations = {
  '': admin('What the console shows', 'get_now'),
  find: admin('What the console shows', 'get_find'),
  why: admin('What the console shows', 'get_why_number'),
  machines: admin('Machines and nodes', 'get_machines_id'),
  campaigns: admin('Campaigns', 'get_campaigns'),
  campaign: admin('Campaigns', 'get_campaigns_campaign'),
  newCampaign: open('Campaigns', 'CreateCampaign'),
  conversations: admin('Chat lines', 'get_accounts_account_conversations'),
  conversation: admin('Chat lines', 'get_accounts_account_conversations_line_contact'),
  deliveries: admin('Callbacks and deliveries', 'get_delivery_receivers'),
  try: open('Calls', 'MakeTTSCall'),
} as const;

const hrefOf = ({ isAdmin, subject, id }: ReferencedOperation, known: KnownParameters): string =>
  referenceHref(`/docs${isAdmin ? '?api=admin' : ''}#/${encodeURIComponent(subject)}/${id}`, known);

/** An address of the reference with what is known of the operation's parameters. */
export const referenceHref = (href: string, known: KnownParameters): string => {
  const [path = '', operation = ''] = href.split('#');
  const [page = '', written = ''] = path.split('?');
  const query = new URLSearchParams([...new URLSearchParams(written), ...Object.entries(known)]);
  return `${page}${query.size > 0 ? `?${query}` : ''}#${operation}`;
};

/** The values that a path gives the parameters of its template: `/accounts/{account}` of `/accounts/3`. */
export const parametersIn = (template: string, path: string): KnownParameters => {
  const values = path.split('?')[0]!.split('/');
  const parts = template.split('/').map((part, nth) => [part, values[nth] ?? ''] as const);
  return Object.fromEntries(
    parts
      .filter(([part, value]) => part.startsWith('{') && value !== '')
      .map(([part, value]) => [part.slice(1, -1), decodeAddressPart(value)]),
  );
};

/** What a part of the address says; nothing: it is empty, or cannot be read. */
const named = (parameter: string, part: string): KnownParameters => {
  const value = decodeAddressPart(part);
  return value === '' ? {} : { [parameter]: value };
};

/** Where the reference tells of what a page asks for; undefined: its forms say it, or it asks for nothing. */
export const pageReferenceHref = ({
  path,
  query,
}: {
  path: string;
  query: URLSearchParams;
}): string | undefined => {
  const [, , area = '', name = ''] = path.split('/');
  const said = (...names: string[]): KnownParameters =>
    Object.fromEntries(names.flatMap((one) => (query.get(one) ? [[one, query.get(one)!]] : [])));
  const of = referencedOperations;
  switch (area) {
    case 'machines':
      return hrefOf(of.machines, { ...named('id', name), ...said('account') });
    case 'why':
      return hrefOf(of.why, { ...named('number', name), ...said('account') });
    case 'campaigns':
      if (name === '') return hrefOf(of.campaigns, said('account'));
      return name === 'new' ? hrefOf(of.newCampaign, {}) : hrefOf(of.campaign, { campaign: name });
    case 'conversations':
      return hrefOf(
        query.has('contact') ? of.conversation : of.conversations,
        said('account', 'line', 'contact'),
      );
    case '':
    case 'find':
    case 'deliveries':
    case 'try':
      return hrefOf(of[area], {});
    default:
      return undefined;
  }
};
