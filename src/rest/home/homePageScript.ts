/** The script of the page at `/`: asks what runs every second, and places the test call by the public operation. */
export const homePageScript = String.raw`'use strict';
const pt = document.documentElement.lang === 'pt-BR';
const say = (en, inPortuguese) => (pt ? inPortuguese : en);
const at = (id) => document.getElementById(id);
const make = (tag, className, ...inside) => {
  const one = document.createElement(tag);
  if (className) one.className = className;
  one.append(...inside);
  return one;
};
const clock = (ms) => new Date(ms).toLocaleTimeString(document.documentElement.lang);

/** Mark and words of a call or message by how far it came. */
const standings = {
  waiting: ['wait', say('waits', 'espera')],
  dialling: ['live', say('is being dialled', 'está chamando')],
  talking: ['good', say('talks', 'em conversa')],
  OK: ['good', say('OK: was answered', 'OK: foi atendida')],
  BUSY: ['past', say('BUSY: was busy', 'BUSY: estava ocupada')],
  NOANSWER: ['past', say('NOANSWER: did not answer', 'NOANSWER: não atendeu')],
  delivered: ['good', say('delivered', 'entregue')],
  read: ['good', say('read', 'lida')],
  acknowledged: ['live', say('taken', 'aceita')],
  submitted: ['live', say('sent', 'enviada')],
  accepted: ['wait', say('accepted', 'recebida')],
  failed: ['bad', say('failed', 'falhou')],
  undelivered: ['bad', say('not delivered', 'não entregue')],
};
const channels = { call: say('call', 'ligação'), sms: 'SMS', msgapp: 'WhatsApp', pagechat: 'Messenger', photodm: 'Instagram' };

/** What is open of the last calls and messages; its story is asked for with them. */
let open = location.hash.slice(1);
let placed = '';
let token = '';
let failures = 0;

const mark = (name) => make('span', 'mark ' + name);

const rowOf = (one) => {
  const [colour, words] = standings[one.standing] || ['past', one.standing];
  const link = make('a', '', channels[one.channel] + ' ' + one.dest);
  link.href = '#' + one.id;
  const story = make('ol', 'story');
  story.hidden = one.id !== open;
  const row = make('li', '', make('div', 'row', mark(colour), make('span', 'what', link, ' ', words), make('span', 'dim', clock(one.at))), story);
  row.dataset.id = one.id;
  if (one.id === open && one.story) story.replaceChildren(...one.story.map(({ at: then, text }) => make('li', 'dim', (then ? clock(then) + '  ' : '') + text)));
  return row;
};

const same = new Map();
/** Replaces what has changed, so that nothing moves that stays the same, and no focus is lost. */
const show = (list, rows, write) => {
  const text = JSON.stringify([rows, open]);
  if (same.get(list) === text) return;
  same.set(list, text);
  const focused = document.activeElement.closest('li[data-id]')?.dataset.id;
  at(list).replaceChildren(...rows.map(write));
  if (focused) at(list).querySelector('li[data-id="' + focused + '"] a')?.focus();
};

const tell = (text) => { if (at('told').textContent !== text) at('told').textContent = text; };

const showAll = (now) => {
  token = now.token;
  // The reference fills it in, in this tab; where a browser keeps nothing, it asks for it.
  try { sessionStorage.setItem('ramal.reference.token', token); } catch {}
  at('token').textContent = token;
  at('command').textContent = commandFor(chosen());
  at('runs').textContent = 'Ramal ' + now.version + say(', up since ', ', no ar desde ') + new Date(now.since).toLocaleString(document.documentElement.lang);
  show('checks', now.checks, ({ name, ok, detail }) =>
    make('li', '', make('div', 'row', mark(ok ? 'good' : 'bad'), make('span', 'what', name), make('span', 'dim', detail))));
  show('last', now.last, rowOf);
  if (now.last.length === 0) at('last').replaceChildren(make('li', 'dim', say('Nothing has happened here yet.', 'Ainda não houve nada aqui.')));
  const mine = now.last.find(({ id }) => id === placed);
  if (mine) tell(mine.id + ' ' + (standings[mine.standing] || ['', mine.standing])[1]);
};

const ask = async () => {
  try {
    const answer = await fetch('home/now.json' + (open ? '?open=' + encodeURIComponent(open) : ''));
    if (!answer.ok) throw new Error('HTTP ' + answer.status);
    showAll(await answer.json());
    failures = 0;
  } catch (error) {
    failures += 1;
    at('runs').textContent = say('The service does not answer: ', 'O serviço não responde: ') + error.message;
  }
};
/** Once a second while the page is visible; less often while the service does not answer. */
const follow = async () => {
  if (!document.hidden) await ask();
  setTimeout(follow, Math.min(30000, 1000 * 2 ** failures));
};

const chosen = () => ({
  tsid: token,
  dest: document.querySelector('input[name=deed]:checked').value,
  text: at('text').value,
});
const commandFor = (call) =>
  'curl -s ' + new URL('api/v2/MakeTTSCall.php', location.href).href + " -H 'Content-Type: application/json' \\\n  -d '" +
  JSON.stringify(call).replaceAll("'", '\\u0027') + "'";

const place = async () => {
  const answer = await fetch('api/v2/MakeTTSCall.php', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(chosen()),
  });
  const said = (await answer.json()).return;
  if (said.status_code !== '0') throw new Error(said.status_code + ': ' + said.status);
  placed = open = said.cd_id;
  history.replaceState(null, '', '#' + open);
  await ask();
};

at('place').addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = event.target.querySelector('button');
  button.disabled = true;
  tell(say('It is being placed.', 'Está sendo feita.'));
  try { await place(); } catch (error) { tell(say('It was not placed: ', 'Não foi feita: ') + error.message); }
  button.disabled = false;
});
at('place').addEventListener('input', () => { at('command').textContent = commandFor(chosen()); });
at('last').addEventListener('click', (event) => {
  const row = event.target.closest('a') && event.target.closest('li[data-id]');
  if (!row) return;
  event.preventDefault();
  open = open === row.dataset.id ? '' : row.dataset.id;
  history.replaceState(null, '', open ? '#' + open : location.pathname);
  void ask();
});
window.addEventListener('hashchange', () => { open = location.hash.slice(1); void ask(); });
void follow();
`;
