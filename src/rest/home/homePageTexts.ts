/** What the page at `/` says, in each language. */

export interface HomePageTexts {
  title: string;
  /** Under the heading, on the machine of the service. */
  lead: string;
  /** The same, for others. */
  leadOfOthers: string;
  links: string;
  reference: string;
  guides: string;
  first: string;
  console: string;
  administration: string;
  place: string;
  says: string;
  sentence: string;
  does: string;
  /** By the last two digits of the number. */
  deeds: Readonly<Record<string, string>>;
  call: string;
  runs: string;
  last: string;
  token: string;
  tokenIs: string;
  show: string;
  noScript: string;
}

const en: HomePageTexts = {
  title: 'Place a first call',
  lead: 'The sandboxes are in place: nothing leaves this machine, and no telephone rings.',
  leadOfOthers: 'This service places calls and sends messages. Here is how it is used.',
  links: 'Where next',
  reference: 'The reference: every operation, to try out',
  guides: 'All pages: guides, settings, reasons',
  first: 'A first call, and some stranger ones',
  console: 'The console: every call and campaign, live',
  administration: 'The administration, for programs',
  place: 'A test call',
  says: 'What it says',
  sentence: 'Good morning. Your appointment is tomorrow at nine.',
  does: 'What the called person does',
  deeds: {
    '00': 'Answers and listens',
    '06': 'Hangs up in the middle',
    '01': 'Is busy',
    '02': 'Does not answer',
    '05': 'Has an answering machine',
  },
  call: 'Call',
  runs: 'What runs',
  last: 'Last calls and messages',
  token: 'The demo token',
  tokenIs: 'It opens the demo account, also for your own programs. It is shown on this machine only.',
  show: 'Show it, and the same call as a command',
  noScript: 'The test call and the lists need JavaScript.',
};

const pt: HomePageTexts = {
  title: 'Faça a primeira ligação',
  lead: 'Tudo é simulação: nada sai desta máquina, e nenhum telefone toca.',
  leadOfOthers: 'Este serviço faz ligações e envia mensagens. Veja como usá-lo.',
  links: 'Depois disso',
  reference: 'A referência: todas as operações, para experimentar (em inglês)',
  guides: 'Todas as páginas: guias, configurações, motivos (em inglês)',
  first: 'Uma primeira ligação, e outras mais estranhas (em inglês)',
  console: 'O console: cada ligação e campanha, ao vivo',
  administration: 'A administração, para programas (em inglês)',
  place: 'Uma ligação de teste',
  says: 'O que ela diz',
  sentence: 'Bom dia. Sua consulta é amanhã às nove.',
  does: 'O que a pessoa faz',
  deeds: {
    '00': 'Atende e ouve',
    '06': 'Desliga no meio',
    '01': 'Está ocupada',
    '02': 'Não atende',
    '05': 'Tem caixa postal',
  },
  call: 'Ligar',
  runs: 'O que está no ar',
  last: 'Últimas ligações e mensagens',
  token: 'O token de demonstração',
  tokenIs: 'Abre a conta de demonstração, também para seus programas. Só é mostrado nesta máquina.',
  show: 'Mostrar, e a mesma ligação como comando',
  noScript: 'A ligação de teste e as listas precisam de JavaScript.',
};

export const homePageTexts = { en, pt } as const;
