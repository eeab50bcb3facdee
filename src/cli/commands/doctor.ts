/** `ramal doctor`: what keeps the service from working, and what to do about it. */
import type { Command } from 'commander';
import type { DoctorFinding } from '../doctor/finding.ts';
import { formatHelpExamples } from '../help.ts';
import type { WrapCommandAction } from '../commandActionWrapper.ts';
import { wrapTextLines } from '../format.ts';
import type { CommandOutput, TerminalTextStyle } from '../output.ts';

export const doctorCommand = (program: Command, act: WrapCommandAction): void => {
  program
    .command('doctor')
    .description('look at everything the service needs, and say what to do')
    .addHelpText(
      'after',
      `
It looks with the settings of this environment, whether the service runs or not,
and changes nothing. Exit code 1 when something failed, 0 with warnings only.
${formatHelpExamples('doctor', 'doctor --json | jq ".findings[] | select(.level != \\"ok\\")"')}
  $ DATABASE_URL=postgresql://ramal:secret@db:5432/ramal npx ramal doctor`,
    )
    .action(
      act(async ({ shell, connection, out }) => {
        // What it looks with takes longer to load than all other commands together.
        const { runDoctor } = await import('../doctor/doctor.ts');
        const findings = await runDoctor({ env: shell.env, connection });
        const isWell = findings.every(({ level }) => level !== 'failed');
        out.tell({ ok: isWell, findings });
        out.say(...linesOf(findings, out), '', verdict(findings));
        return isWell ? 0 : 1;
      }),
    );
};

const styles: Record<DoctorFinding['level'], TerminalTextStyle> = {
  ok: 'green',
  warning: 'yellow',
  failed: 'red',
};
const levelWidth = 9;
const checkWidth = 10;

const linesOf = (findings: readonly DoctorFinding[], { paint, columns }: CommandOutput): string[] =>
  findings.flatMap(({ check, level, says, todo }) => {
    const indent = ' '.repeat(levelWidth + checkWidth);
    const room = Math.min(columns, 100) - indent.length;
    const [first, ...others] = wrapTextLines(says, room);
    return [
      `${paint(styles[level], level.padEnd(levelWidth))}${check.padEnd(checkWidth)}${first}`,
      ...others.map((line) => `${indent}${line}`),
      ...(todo === undefined
        ? []
        : wrapTextLines(todo, room).map((line) => `${indent}${paint('bold', line)}`)),
    ];
  });

const verdict = (findings: readonly DoctorFinding[]): string => {
  const [wrong, odd] = (['failed', 'warning'] as const).map(
    (level) => findings.filter((one) => one.level === level).length,
  );
  if (wrong! > 0) return `${wrong} failed${odd! > 0 ? `, ${odd} to look at` : ''}.`;
  return odd! > 0 ? `Nothing failed; ${odd} to look at.` : 'All is well.';
};
