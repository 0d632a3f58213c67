/** The page of a study: its tables and pictures in one file, without scripts and without anything from elsewhere. */
import type { BonesRow } from './measure-bones.ts';
import type { SkinRow } from './measure-skins.ts';
import { BONES_COLUMNS, escaped, figure, htmlTable, SKIN_COLUMNS } from './study-tables.ts';

export interface StudyPictures {
  readonly row: BonesRow;
  /** PNG files: bones by colour, errors by heat. */
  readonly bones: Uint8Array;
  readonly errors: Uint8Array;
}

export interface Study {
  readonly title: string;
  readonly vertices: number;
  readonly frames: number;
  readonly threads: number;
  readonly rows: readonly BonesRow[];
  readonly skins: readonly SkinRow[];
  readonly pictures: readonly StudyPictures[];
  /** Error of the last colour of the heat, in model units. */
  readonly heat: number;
}

export function studyPage({ title, vertices, frames, threads, rows, skins, pictures, heat }: Study): string {
  const counts = [...new Set(rows.map(({ wanted }) => wanted))];
  const groups = counts.map((count) => rows.filter(({ wanted }) => wanted === count));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}: a study of methods</title>
<style>${PAGE_STYLE}</style>
<h1>${escaped(title)}</h1>
<p>${vertices} vertices, ${frames} frames. Times are those of ${threads} ${threads === 1 ? 'thread' : 'threads'}. The
least figure of each column is bold.</p>
${rows.length > 0 ? `<h2>Bones</h2>\n${BONES_NOTE}\n${htmlTable(BONES_COLUMNS, groups)}` : ''}
${pictures.length > 0 ? `<h2>What was found</h2>\n${picturesNote(heat)}\n${figures(pictures)}` : ''}
${skins.length > 0 ? `<h2>Learnt skins</h2>\n${SKINS_NOTE}\n${htmlTable(SKIN_COLUMNS, [skins])}` : ''}
</html>
`;
}

const BONES_NOTE = `<p>E_RMS is 1000 times the root mean square error per coordinate for a rest pose in the unit ball; RMSE is in
per cent of the diagonal; errors by length are in units of the model. The spread is the range of E_RMS over copies of the
data, relative to its median. Held out: every other frame is fitted, then bones alone are solved for the frames between.</p>`;

const SKINS_NOTE = `<p>The enveloping error is the share of the error of the best single bone of each vertex that is left. Left
out: the mean over the examples, each predicted by a skin that was trained on the others.</p>`;

function picturesNote(heat: number): string {
  return `<p>Bones by colour, blended by the weights; errors from grey (none) over blue and yellow to red (${figure(heat)} or
more, root mean square over the frames, in units of the model).</p>`;
}

function figures(pictures: readonly StudyPictures[]): string {
  const made = pictures.map(({ row: { method, wanted, error }, bones, errors }) => {
    const words = `${method}, ${wanted} bones`;
    return `<figure><img alt="${escaped(words)}: bones" src="${dataUrl(bones)}"><img alt="${escaped(words)}: errors" src="${dataUrl(errors)}"><figcaption>${escaped(words)}: E_RMS ${figure(error.eRms)}</figcaption></figure>`;
  });
  return `<div class="pictures">${made.join('\n')}</div>`;
}

function dataUrl(png: Uint8Array): string {
  let text = '';
  for (const byte of png) text += String.fromCharCode(byte);
  return `data:image/png;base64,${btoa(text)}`;
}

export const PAGE_STYLE = `
:root { color-scheme: light; font: 15px/1.45 system-ui, sans-serif; color: #1c1f24; background: #fff; }
body { max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: 0.25rem 0.6rem; text-align: right; }
th { font-weight: 600; vertical-align: bottom; white-space: normal; border-bottom: 1px solid #888; }
.word { text-align: left; }
tbody + tbody tr:first-child td { border-top: 1px solid #ccc; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; }
figcaption { color: #555; }
`;
