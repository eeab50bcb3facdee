/** The reference as a page, out of the same declarations as everything else. */
import type { AnyOperation, DeclaredError, Param } from '../operations/declare.ts';

export const docsPage = (operations: readonly AnyOperation[], address: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Ramal reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}code,pre{background:#8882;padding:.1em .3em;border-radius:.2em}
pre{padding:1em;overflow:auto}table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8884;padding:.3em .6em;text-align:left;vertical-align:top}</style>
</head><body><h1>Ramal</h1><p>Every operation is a POST with JSON, a form or multipart. Machine readable: <a href="/openapi.json">openapi.json</a>.</p>
${operations.map((op) => section(op, address)).join('\n')}</body></html>`;

const section = (op: AnyOperation, address: string): string => {
  const params = Object.values(op.params as Record<string, Param>);
  const errors = Object.values(op.errors as Record<string, DeclaredError>);
  return `<h2 id="${op.name}">${op.name}</h2><p>${escape(op.summary)} Spec ${op.section}.</p>
<pre>curl -s ${escape(address)}/api/v2/${op.name}.php -H 'Content-Type: application/json' -d '${escape(JSON.stringify(op.example.request))}'</pre>
<pre>${escape(JSON.stringify(op.example.response, null, 2))}</pre>
<table><tr><th>parameter</th><th></th></tr>${params.map(paramRow).join('')}</table>
<table><tr><th>code</th><th></th></tr>${errors.map((error) => row(error.code, error.text)).join('')}</table>`;
};

const paramRow = (param: Param): string => row([param.rest, ...(param.aliases ?? [])].join(', '), param.says);

const row = (term: string, sentence: string): string =>
  `<tr><td><code>${escape(term)}</code></td><td>${escape(sentence)}</td></tr>`;

const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
