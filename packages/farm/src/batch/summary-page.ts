/** The results of a batch as one page that needs nothing else: pictures, errors, sizes, the worst first. */
import type { SummaryRow } from './summary.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --bad: #c0392b; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
img { display: block; width: 80px; height: 60px; } .failed, .skipped, .cancelled { color: var(--bad); }
td.what { overflow-wrap: anywhere; } small { opacity: 0.7; }`;

/**
 * The page, as HTML.
 *
 * @param rows      N, as `summarise` orders them
 * @param pictures  PNGs by the id of their job
 * @param title     such as the name of the batch
 * @example
 * {@includeCode ../../examples/batch.ts}
 */
export function summaryPage(
  rows: readonly SummaryRow[],
  pictures: ReadonlyMap<string, Uint8Array>,
  title: string,
): string {
  const body = rows.map((row) => tableRow(row, pictures.get(row.id))).join('\n');
  const failed = rows.filter(({ state }) => state === 'failed' || state === 'skipped' || state === 'cancelled').length;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<h1>${escaped(title)}</h1>
<p>${rows.length} ${rows.length === 1 ? 'job' : 'jobs'}, ${rows.length - failed} succeeded, ${failed} did not. The largest errors come first.</p>
<table>
<thead><tr><th></th><th>Job</th><th>State</th><th class="number">E_RMS</th><th class="number">Size</th><th class="number">Time</th></tr></thead>
<tbody>
${body}
</tbody>
</table>
</html>
`;
}

function tableRow(row: SummaryRow, picture: Uint8Array | undefined): string {
  const image = picture ? `<img alt="" src="data:image/png;base64,${Buffer.from(picture).toString('base64')}">` : '';
  const what = [row.output ?? row.command, row.message, row.warnings ? `${row.warnings} warnings` : undefined];
  const [name, ...notes] = what.filter((text) => text !== undefined).map(escaped);
  const cells = [
    `<td>${image}</td>`,
    `<td class="what"><b>${escaped(row.id)}</b> <small>${escaped(row.command)}</small><br>${[name, ...notes].join('<br>')}</td>`,
    `<td class="${row.state}">${row.state}</td>`,
    numberCell(row.error?.toPrecision(3)),
    numberCell(row.bytes === undefined || row.bytes === 0 ? undefined : size(row.bytes)),
    numberCell(row.seconds === undefined ? undefined : `${row.seconds.toFixed(1)} s`),
  ];
  return `<tr>${cells.join('')}</tr>`;
}

function numberCell(text: string | undefined): string {
  return `<td class="number">${text ?? ''}</td>`;
}

function size(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Names come from files and may hold anything. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
