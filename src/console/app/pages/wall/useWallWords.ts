/** Sentences of the view for a screen on the floor. */
import { createTranslationHook } from '../../words/index.ts';

const en = {
  title: 'Floor, now',
  talking: 'Talking',
  talkingSub: 'with a person',
  up: 'In the network',
  upSub: '{waiting} wait',
  answers: 'Answers a minute',
  answersSub: 'of {attempts} attempts',
  failed: 'No way through',
  failedSub: 'of the last ten minutes’ attempts',
  series: 'Answers a minute in the last hour',
  andMore: 'and {count} more',
  allIsWell: 'Nothing needs your attention.',
  campaign: 'Campaign',
  progress: 'Progress',
  called: 'Called',
  pace: 'A minute',
  ends: 'Ends',
  atLatest: 'by {day}',
  noLimit: 'no limit',
  noCampaigns: 'No campaign runs.',
  back: 'Back to Now',
};

const pt: Record<keyof typeof en, string> = {
  title: 'Central, agora',
  talking: 'Em conversa',
  talkingSub: 'com uma pessoa',
  up: 'Na rede',
  upSub: '{waiting} esperam',
  answers: 'Atendidas por minuto',
  answersSub: 'de {attempts} tentativas',
  failed: 'Sem caminho',
  failedSub: 'das tentativas dos últimos dez minutos',
  series: 'Atendidas por minuto na última hora',
  andMore: 'e mais {count}',
  allIsWell: 'Nada pede a sua atenção.',
  campaign: 'Campanha',
  progress: 'Andamento',
  called: 'Chamados',
  pace: 'Por minuto',
  ends: 'Termina',
  atLatest: 'até {day}',
  noLimit: 'sem limite',
  noCampaigns: 'Nenhuma campanha em curso.',
  back: 'Voltar para Agora',
};

export const useWallWords = createTranslationHook({ en, pt });
