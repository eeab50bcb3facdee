/** How a drawing looks. A page gives the colours; a drawing that stands alone brings them along, light and dark. */

/** Rules in terms of custom properties `--chart-…`. */
export const chartStyle = `
.chart { font: 12px Inter, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif; fill: var(--chart-ink); }
.chart .way { fill: none; stroke: var(--chart-line); stroke-width: 1.2; }
.chart .head { fill: var(--chart-edge); }
.chart .transition { fill: none; stroke: none; pointer-events: stroke; stroke-width: 8; }
.chart .spine .way { stroke: var(--chart-spine); stroke-width: 2.6; }
.chart .spine .head { fill: var(--chart-spine); }
.chart .trouble .way { stroke-dasharray: 3 3; }
.chart .outline { fill: var(--chart-box); stroke: var(--chart-edge); stroke-width: 1.2; }
.chart .question .outline, .chart .answers .outline { fill: var(--chart-question); stroke: var(--chart-quiet); }
.chart .answers .outline { stroke-dasharray: 2 2; }
.chart .final .outline { stroke-width: 2.6; }
.chart .compound .outline { stroke-width: 1.8; }
.chart .compound .name { font-weight: 600; }
.chart .question .name, .chart .answers .name, .chart .exit .name, .chart .enter .name { fill: var(--chart-quiet); }
.chart .exit .name, .chart .enter .name { font-style: italic; }
.chart .panel { fill: var(--chart-panel); stroke: var(--chart-line); }
.chart .beam { fill: var(--chart-beam); }
.chart .heading { font-weight: 600; fill: var(--chart-quiet); }
.chart .label, .chart .legend text { font-size: 11px; fill: var(--chart-quiet); }
.chart .label { paint-order: stroke; stroke: var(--chart-panel); stroke-width: 5px; stroke-linejoin: round; }
.chart .outermost .label { stroke: var(--chart-paper); }
.chart .label .target { fill: var(--chart-faint); }
.chart .legend .about { fill: var(--chart-faint); }
.chart .fold { fill: var(--chart-quiet); }
.chart .count { font-size: 10.5px; font-weight: 700; text-anchor: end; fill: var(--chart-active); }
.chart.lit .station:not(.entered):not(.active) .outline { stroke: var(--chart-line); }
.chart.lit .station:not(.entered):not(.active) .name { fill: var(--chart-faint); }
.chart.lit .line:not(.taken) .head { fill: var(--chart-line); }
.chart.lit .line:not(.taken) .way { stroke-opacity: 0.6; }
.chart.lit .label:not(.taken), .chart.lit .word:not(.taken) { fill: var(--chart-faint); }
.chart .line.taken .way { stroke: var(--chart-taken); stroke-width: 2.4; stroke-dasharray: none; }
.chart .line.taken .head { fill: var(--chart-taken); }
.chart .label.taken, .chart .word.taken { fill: var(--chart-taken); font-weight: 600; }
.chart .line.guessed .way { stroke-width: 1.6; stroke-dasharray: 5 3; stroke-opacity: 0.7; }
.chart .label.guessed, .chart .word.guessed { font-weight: 400; font-style: italic; }
.chart .entered .outline { stroke: var(--chart-taken); fill: var(--chart-taken-soft); }
.chart .active .outline { stroke: var(--chart-active); fill: var(--chart-active-soft); stroke-width: 2.6; }
.chart .active .name { font-weight: 700; fill: var(--chart-ink); }
`;

const colours = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `--chart-${name}: ${value};`)
    .join(' ');

const light = {
  ...{
    paper: '#ffffff',
    panel: '#f4f5f7',
    beam: 'rgb(60 75 90 / 0.055)',
    box: '#ffffff',
    question: '#eceff3',
  },
  ...{
    ink: '#191a1c',
    quiet: '#5a616b',
    faint: '#8a929d',
    line: '#b3bbc6',
    edge: '#66727f',
    spine: '#3f4b58',
  },
  ...{ taken: '#2b47d1', 'taken-soft': '#e9edfc', active: '#b4480b', 'active-soft': '#fdf0e2' },
};

const dark = {
  ...{
    paper: '#141518',
    panel: '#1d1f23',
    beam: 'rgb(200 215 235 / 0.06)',
    box: '#25282d',
    question: '#1d2228',
  },
  ...{
    ink: '#ededee',
    quiet: '#b0b5bd',
    faint: '#868c96',
    line: '#4b525c',
    edge: '#8b95a1',
    spine: '#b9c3cf',
  },
  ...{ taken: '#97a9ff', 'taken-soft': '#20264a', active: '#ff9a52', 'active-soft': '#3a2414' },
};

/** Colours for a drawing without a page around it. */
export const standaloneChartColours = `
.chart { ${colours(light)} }
@media (prefers-color-scheme: dark) { .chart { ${colours(dark)} } }
`;
