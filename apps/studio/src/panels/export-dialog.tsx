import { useState } from 'preact/hooks';
import {
  commandLines,
  EXPORT_NAMES,
  type ExportKind,
  exportKinds,
  exportRequests,
  makeExport,
} from '../jobs/exports.ts';
import { capturePng, captureWebm } from '../viewport/capture.ts';
import { kilobytes } from './amounts.ts';
import { Choice } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { download } from './download.ts';
import { useStudio } from './studio.ts';

/** Files, pictures, the report, and the exact command line that makes the same bytes. */
export function ExportDialog() {
  const { bench, document, session, viewport } = useStudio();
  const { store, library } = bench;
  const [kind, setKind] = useState<ExportKind>('glb');
  const [busy, setBusy] = useState('');
  const close = () => store.setSession({ dialog: undefined });
  const run = document.runs.value.find(({ id }) => id === document.shown.value);
  if (!run) return null;
  const lines = commandLines(exportRequests(store.state.document, library, run, kind));
  const stem = library.get(run.id)?.files[0]?.path.replace(/\.glb$/, '') ?? 'result';
  const work = async (name: string, make: () => Promise<Blob | undefined>, file: string) => {
    setBusy(name);
    try {
      const blob = await make();
      if (blob) download(blob, file);
    } catch (error) {
      store.setSession({ notice: { kind: 'error', text: (error as Error).message }, dialog: undefined });
    }
    setBusy('');
  };
  const save = async () => {
    setBusy('file');
    const file = await makeExport(bench, run, kind);
    if (file) download(file.blob, file.path);
    setBusy('');
  };
  const shown = viewport.value;
  return (
    <Dialog title={`Export ${run.title}`} onClose={close}>
      <div class="exports">
        <Choice
          label="File"
          value={kind}
          choices={exportKinds(run).map((key) => [key, `${EXPORT_NAMES[key][0]} · ${EXPORT_NAMES[key][1]}`] as const)}
          onChange={setKind}
        />
        <button type="button" class="button primary" disabled={busy !== ''} onClick={() => void save()}>
          {kind === 'glb' ? `Save GLB · ${kilobytes(run.bytes)}` : busy === 'file' ? 'Making …' : 'Save'}
        </button>
      </div>
      <p class="dim small">The same bytes from a terminal:</p>
      <pre class="command">{lines ?? 'This rig was made elsewhere; there is no command to show.'}</pre>
      <div class="actions">
        <button
          type="button"
          class="button"
          disabled={busy !== '' || Object.keys(run.report).length === 0}
          title={Object.keys(run.report).length === 0 ? 'This rig was not made here' : 'Figures of the run as JSON'}
          onClick={() => download(new Blob([`${JSON.stringify(run.report, null, 2)}\n`]), `${stem}-report.json`)}
        >
          Save report
        </button>
        {shown && (
          <>
            <button
              type="button"
              class="button"
              disabled={busy !== ''}
              onClick={() => void work('png', () => capturePng(shown), `${stem}-${store.state.view.frame + 1}.png`)}
            >
              Save PNG
            </button>
            <button
              type="button"
              class="button"
              disabled={busy !== ''}
              onClick={() => void work('webm', () => captureWebm(shown, store), `${stem}.webm`)}
            >
              {busy === 'webm' ? 'Recording …' : 'Save WebM'}
            </button>
          </>
        )}
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
      {session.task.value && <p class="dim small">{session.task.value.stage}</p>}
    </Dialog>
  );
}
