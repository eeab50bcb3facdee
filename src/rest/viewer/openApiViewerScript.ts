/**
 * The script of the page at `/docs`. What is tried out goes to wherever the page came from: nothing else may be reached from
 * it. A tab of the console hands it what authorizes in `sessionStorage`; the address holds no secret, only parameters that
 * the page which led here knows, and nothing is asked for before a person presses Execute.
 */
export const openApiViewerScript = `const root = new URL('.', location.href);
const query = new URLSearchParams(location.search);
const isAdmin = query.get('api') === 'admin';
query.delete('api');

/** What the console left for its own tab; null: nothing, or this browser keeps nothing. */
const handed = (name) => {
  try { return sessionStorage.getItem('ramal.reference.' + name); } catch { return null; }
};
const ask = async (path) => {
  const answer = await fetch(new URL(path, root));
  return answer.ok ? answer.json() : undefined;
};

/** Of the operation that is opened; an account is meant wherever one is asked for. */
const fillIn = (spec) => {
  const opened = decodeURIComponent(location.hash).split('/').at(-1);
  for (const operation of Object.values(spec.paths).flatMap(Object.values))
    for (const parameter of operation.parameters ?? []) {
      const known = query.get(parameter.name);
      if (known === null || (operation.operationId !== opened && parameter.name !== 'account')) continue;
      parameter.example = known;
      if (parameter.schema) delete parameter.schema.example;
    }
};

/** At the machine of the service the page at / tells the demo account's token, as long as all goes to the sandboxes. */
const demoToken = async () => {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  return isHere && handed('session') ? (await ask('home/now.json'))?.token : undefined;
};

const say = (text) => { document.getElementById('handed').textContent = text; };

/** The browser sends the session's cookie by itself: here it only shows as given. */
const authorizeAdmin = async (ui, spec) => {
  const who = handed('session') ? await ask('admin/api/sessions/current') : undefined;
  if (!who) return;
  const schema = spec.components.securitySchemes.session;
  ui.authActions.authorize({ session: { name: 'session', schema, value: 'of the console' } });
  say('Signed in to the console as ' + who.name + ', role ' + who.role + ': what is tried out is done in this name.');
};

const authorizeAccount = async (ui) => {
  const kept = handed('token');
  const token = kept ?? (await demoToken());
  if (!token) return;
  ui.preauthorizeApiKey('bearer', token);
  say(kept ? 'The account token of this tab is filled in.' : 'The token of the demo account is filled in.');
};

const spec = await ask(isAdmin ? 'admin/openapi.json' : 'openapi.json');
spec.servers = [{ url: isAdmin ? new URL('admin/api', root).href : root.href.replace(/\\/$/, '') }];
fillIn(spec);
const ui = SwaggerUIBundle({
  spec,
  domNode: document.getElementById('viewer'),
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    delete request.headers.Cookie;
    return request;
  },
  onComplete: () => void (isAdmin ? authorizeAdmin(ui, spec) : authorizeAccount(ui)),
});
`;
