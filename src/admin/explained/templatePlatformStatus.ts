/** What the platform says of a template, and what to do about it. */
import type { TemplateContext } from '../../../machines/template/context.ts';
import type { Language } from './language.ts';
import { translateOrQuote } from './translateKnownPhrases.ts';
import { both, getOwnEntry, one, type ExplanationText } from './words.ts';

const edit = both('Edit it, then submit it again.', 'Edite-o e submeta-o de novo.');
const wait = both(
  'Wait: its status is asked for by itself.',
  'Aguarde: o status é consultado automaticamente.',
);

/** Words of the platform for where a template stands. */
const statuses: Readonly<Record<string, ExplanationText>> = {
  PENDING: one('the platform reviews it, and it cannot be sent yet', 'a plataforma o está analisando, e ele ainda não pode ser enviado', wait),
  IN_APPEAL: one('the platform reviews its appeal, and it cannot be sent yet', 'a plataforma analisa o recurso, e ele ainda não pode ser enviado', wait),
  APPROVED: one('the platform approved it, and it can be sent', 'a plataforma o aprovou, e ele pode ser enviado'),
  REINSTATED: one('the platform allows it again, and it can be sent', 'a plataforma o liberou de novo, e ele pode ser enviado'),
  REJECTED: one('the platform rejected it, and it cannot be sent', 'a plataforma o rejeitou, e ele não pode ser enviado', edit),
  FLAGGED: one('people rated it badly, and the platform may switch it off', 'as pessoas o avaliaram mal, e a plataforma pode desativá-lo', both('Send it to fewer people, or edit it.', 'Envie-o a menos pessoas, ou edite-o.')),
  PAUSED: one('the platform paused it, because people rated it badly', 'a plataforma o pausou, porque as pessoas o avaliaram mal', both('Wait until the platform takes the pause back, or edit it.', 'Aguarde a plataforma retirar a pausa, ou edite-o.')),
  DISABLED: one('the platform switched it off, and it cannot be sent', 'a plataforma o desativou, e ele não pode ser enviado', both('Make another template.', 'Crie outro template.')),
  LIMIT_EXCEEDED: one('the business account has as many templates as it may have', 'a conta comercial tem tantos templates quantos pode ter', both('Delete templates that are not used.', 'Exclua templates que não são usados.')),
  ARCHIVED: one('the platform archived it, because it was not used', 'a plataforma o arquivou, porque não foi usado', both('Restore it in the console of the platform.', 'Restaure-o no painel da plataforma.')),
  PENDING_DELETION: one('the platform is deleting it', 'a plataforma o está excluindo', wait),
  DELETED: one('the platform does not have it any more', 'a plataforma não o tem mais', both('Submit it anew, or delete it here.', 'Submeta-o de novo, ou exclua-o aqui.')),
}; // prettier-ignore

/** Words of the platform for why it rejected one. */
const rejections: Readonly<Record<string, ExplanationText>> = {
  ABUSIVE_CONTENT: one('its text is abusive', 'o texto é abusivo', edit),
  INCORRECT_CATEGORY: one('its category does not fit its text', 'a categoria não combina com o texto', both('Change its category, then submit it again.', 'Altere a categoria e submeta-o de novo.')),
  INVALID_FORMAT: one('its text or its variables are not written as they must be', 'o texto ou as variáveis não estão escritos como devem', edit),
  PROMOTIONAL: one('it promotes something, and its category does not permit that', 'faz promoção, e a categoria não o permite', both('Change its category to MARKETING, then submit it again.', 'Altere a categoria para MARKETING e submeta-o de novo.')),
  SCAM: one('the platform takes it for a fraud', 'a plataforma o considera fraude', edit),
  TAG_CONTENT_MISMATCH: one('its language or category does not fit its text', 'o idioma ou a categoria não combina com o texto', edit),
  NON_COMPLIANT: one('it breaks a rule of the platform', 'viola uma regra da plataforma', edit),
}; // prettier-ignore

const doubt = one('it is not known whether the platform took it', 'não se sabe se a plataforma o aceitou', both('Do not submit it again: it is looked for by itself.', 'Não o submeta de novo: ele é procurado automaticamente.')); // prettier-ignore
const told = {
  en: { because: 'the reason is', other: (status: string) => `the platform says ${status} of it` },
  pt: { because: 'o motivo é', other: (status: string) => `a plataforma informa ${status}` },
} as const;

/** What is said of it, and what to do; empty when nothing is: it is only stored. */
export const explainTemplateStatus = (context: TemplateContext, language: Language): string => {
  const { status, doubt: open, rejectionReason: reason } = context;
  if (open.looks > 0 || open.text !== '')
    return joined(withWhy(doubt.says[language], spokenOrNone(open.text, language)), doubt, language);
  const rejection = getOwnEntry(rejections, reason);
  const why =
    reason === ''
      ? ''
      : `${told[language].because}: ${rejection?.says[language] ?? translateOrQuote(reason, language)}`;
  // One that was edited after it was rejected has no status, and the reason beside it.
  const known =
    status === '' ? (reason === '' ? undefined : statuses['REJECTED']) : getOwnEntry(statuses, status);
  if (!known && status === '') return '';
  const says = known?.says[language] ?? told[language].other(spokenStatus(status));
  return joined(withWhy(says, why), rejection?.todo ? rejection : (known ?? one('', '')), language);
};

const spokenOrNone = (text: string, language: Language): string =>
  text === '' ? '' : translateOrQuote(text, language);
const withWhy = (says: string, why: string): string => (why === '' ? says : `${says}; ${why}`);
const joined = (says: string, { todo }: ExplanationText, language: Language): string =>
  todo ? `${says}. ${todo[language]}` : `${says}.`;
/** A status that is new: as the platform writes it, in small letters and blanks. */
const spokenStatus = (status: string): string => `“${status.toLowerCase().replaceAll('_', ' ')}”`;

/** For the test that walks them. */
export const explainedTemplateCodes = {
  statuses: Object.keys(statuses),
  rejections: Object.keys(rejections),
};
