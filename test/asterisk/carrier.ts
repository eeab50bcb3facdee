/**
 * The carrier: one sipp process on one port, which behaves by the last two characters of the user it is called by.
 * Run as `tsx carrier.ts FOLDER`, it writes `carrier.xml` and the audio it plays.
 *
 * The table is that of the sandbox carrier where SIP can do the same; the rest is below the line.
 *
 * What it did is in its log: `dial <user> <leg>` for an INVITE, and lines of `saw` (test/asterisk/README.md).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAudio } from './audio.ts';

const folder = process.argv[2];
if (!folder) throw new Error('usage: carrier.ts FOLDER');

let labels = 0;
const newLabel = (): string => `l${++labels}`;
const label = (id: string): string => `  <label id="${id}"/>\n`;
const goTo = (id: string): string => `  <nop next="${id}"/>\n`;
const receive = (request: string, attributes = ''): string => `  <recv request="${request}"${attributes}/>\n`;
const pause = (ms: number): string => `  <pause milliseconds="${ms}"/>\n`;
const say = (name: string): string =>
  `  <nop><action><exec play_pcap_audio="${folder}/${name}.pcap"/></action></nop>\n`;

const description = `      Content-Type: application/sdp
      Content-Length: [len]

      v=0
      o=carrier 1 1 IN IP[local_ip_type] [local_ip]
      s=-
      c=IN IP[media_ip_type] [media_ip]
      t=0 0
      m=audio [media_port] RTP/AVP 0 101
      a=rtpmap:0 PCMU/8000
      a=rtpmap:101 telephone-event/8000
      a=fmtp:101 0-16
`;

interface Reply {
  audio?: boolean;
  repeat?: boolean;
  /** The transaction answered, when it is not that of the last message. */
  cseq?: string;
}

const reply = (
  status: string,
  { audio, repeat, cseq }: Reply = {},
): string => `  <send${repeat ? ' retrans="500"' : ''}>
    <![CDATA[
      SIP/2.0 ${status}
      [last_Via:]
      [last_From:]
      [last_To:];tag=carrier[call_number]
      [last_Call-ID:]
      ${cseq ? `CSeq: ${cseq}` : '[last_CSeq:]'}
      Contact: <sip:[local_ip]:[local_port];transport=[transport]>
${audio ? description : '      Content-Length: 0\n'}
    ]]>
  </send>
`;

/** A line of the log: what was just sent or received, with the time in seconds and microseconds of the epoch. */
const saw = (what: string): string => `<gettimeofday assign_to="seconds,micros"/>
      <log message="saw ${what} [$leg] [$seconds] [$micros]"/>`;
const note = (what: string): string => `  <nop><action>${saw(what)}</action></nop>\n`;

const bye = `  <send retrans="500">
    <![CDATA[
      BYE [$contact] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      From[$to];tag=carrier[call_number]
      To[$from]
      [last_Call-ID:]
      CSeq: 1 BYE
      Max-Forwards: 70
      Content-Length: 0

    ]]>
  </send>
  <recv response="200"/>
${note('hungUp')}`;

/** The first thing that is said: sipp knows an INVITE that comes again until it has answered it twice. */
const ringing = note('rang') + reply('180 Ringing');
const pickUp = note('answered') + reply('200 OK', { audio: true, repeat: true }) + receive('ACK');
const answer = ringing + pause(500) + pickUp;
const left = note('left') + reply('200 OK');
const ended = receive('BYE') + left;
const cancelled =
  note('cancelled') +
  reply('200 OK') +
  reply('487 Request Terminated', { cseq: '[$cseq] INVITE', repeat: true }) +
  receive('ACK');
const refuse = (status: string): string =>
  note(`refused-${status.slice(0, 3)}`) + reply(status, { repeat: true }) + receive('ACK');
const ringThenRefuse = (status: string): string => ringing + pause(500) + refuse(status);

/** Does something every so often until the far end says BYE. */
const untilBye = (everyMs: number, something: string): string => {
  const [again, doIt] = [newLabel(), newLabel()];
  const over = newLabel();
  return (
    label(again) +
    receive('BYE', ` timeout="${everyMs}" ontimeout="${doIt}"`) +
    left +
    goTo(over) +
    label(doIt) +
    something +
    goTo(again) +
    label(over)
  );
};

const hangsUpAfter = (ms: number): string => {
  const [late, over] = [newLabel(), newLabel()];
  return (
    answer +
    receive('BYE', ` timeout="${ms}" ontimeout="${late}"`) +
    left +
    goTo(over) +
    label(late) +
    bye +
    label(over)
  );
};

const slowAnswer = (ms: number): string => {
  const [late, over] = [newLabel(), newLabel()];
  return (
    ringing +
    receive('CANCEL', ` timeout="${ms}" ontimeout="${late}"`) +
    cancelled +
    goTo(over) +
    label(late) +
    pickUp +
    say('hello') +
    ended +
    label(over)
  );
};

const listens = answer + say('hello') + ended;
const busy = refuse('486 Busy Here');
const neverAnswers = ringing + receive('CANCEL') + cancelled;
const congestion = refuse('503 Service Unavailable');
const unreachable = refuse('404 Not Found');

/** The first leg of a call meets `first`, later ones are answered. */
const firstThen = (first: string): string => {
  const [isFirst, over] = [newLabel(), newLabel()];
  return (
    `  <nop next="${isFirst}" test="first"/>\n` + listens + goTo(over) + label(isFirst) + first + label(over)
  );
};

const behaviours: Record<string, string> = {
  '01': busy,
  '02': neverAnswers,
  '03': congestion,
  '04': unreachable,
  '05': answer + say('machine') + ended,
  '06': hangsUpAfter(1000),
  '07': slowAnswer(20_000),
  '21': firstThen(busy),
  '22': firstThen(neverAnswers),
  '23': firstThen(congestion),
  '24': firstThen(unreachable),
  '30': answer + say('talk') + untilBye(30_000, say('talk')),
  // --- not in the sandbox
  /** Rejected. */
  '08': refuse('603 Decline'),
  /** Answers and sends no audio at all. */
  '09': answer + ended,
  /** Speaks before it answers, and never answers. */
  '40':
    note('rang') +
    reply('183 Session Progress', { audio: true }) +
    say('talk') +
    receive('CANCEL') +
    cancelled,
  /** Answers after four seconds of ringing. */
  '49': slowAnswer(4000),
  '48': ringThenRefuse('480 Temporarily Unavailable'),
  '58': ringThenRefuse('408 Request Timeout'),
  '50': refuse('500 Server Internal Error'),
  '60': refuse('600 Busy Everywhere'),
  '84': refuse('484 Address Incomplete'),
};
/**
 * It cannot hear the prompts: it presses two seconds after the answer and every three from then on. Asterisk hears the
 * first press and takes the others for repetitions.
 */
for (let digit = 0; digit <= 9; digit++)
  behaviours[`1${digit}`] = answer + pause(2000) + say(`key${digit}`) + untilBye(3000, say(`key${digit}`));

/** Two seconds after the answer: 1, and four seconds later 4, 5 and 6. */
behaviours['71'] = answer + pause(2000) + say('code') + ended;
/** Two seconds after the answer: 5, and every three seconds again, five times in all. */
behaviours['72'] = answer + pause(2000) + say('fives') + ended;

/** Told to the users `closed` and `open`: until it is open again every call is refused with 503. */
const turns: Record<string, string> = { closed: '1', open: '0' };
const turn = (user: string): string =>
  `  <nop><action><assign assign_to="refusing" value="${turns[user]}"/></action></nop>\n${refuse('486 Busy Here')}`;

const find = (expression: string, header: string, into: string): string =>
  `      <ereg regexp="${expression}" search_in="hdr" header="${header}" assign_to="${into}"/>\n`;
const endings = Object.keys(behaviours);

const scenario = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<!DOCTYPE scenario SYSTEM "sipp.dtd">
<scenario name="carrier">
  <Global variables="refusing"/>
  <recv request="INVITE" crlf="true">
    <action>
${find('[0-9]+', 'CSeq:', 'cseq')}${find('.*', 'From', 'from')}${find('.*', 'To', 'to')}${find('sip:[^&gt;]*', 'Contact:', 'contact')}${find('[^ ].*', 'X-Ramal-Leg:', 'leg')}${find('\\.1$', 'X-Ramal-Leg:', 'first')}      <ereg regexp="sip:([^@]*)@" search_in="hdr" header="To:" assign_to="whole,called"/>
${endings.map((ending) => find(`${ending}@`, 'To:', `n${ending}`)).join('')}      <log message="dial [$called] [$leg]"/>
      ${saw('dial')}
${Object.keys(turns)
  .map((user) => find(`${user}@`, 'To:', user))
  .join('')}      <test assign_to="isClosed" variable="refusing" compare="equal" value="1"/>
    </action>
  </recv>
${Object.keys(turns)
  .map((user) => `  <nop next="${user}" test="${user}"/>\n`)
  .join('')}  <nop next="refused" test="isClosed"/>
${endings.map((ending) => `  <nop next="n${ending}" test="n${ending}"/>\n`).join('')}${listens}${goTo('end')}
${endings.map((ending) => label(`n${ending}`) + behaviours[ending]! + goTo('end')).join('')}
${Object.keys(turns)
  .map((user) => label(user) + turn(user) + goTo('end'))
  .join('')}${label('refused')}${congestion}
${label('end')}${pause(1)}  <Reference variables="cseq,from,to,contact,leg,first,whole,called"/>
</scenario>
`;

writeFileSync(join(folder, 'carrier.xml'), scenario);
writeAudio(folder);
