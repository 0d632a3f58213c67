import { Segments } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { SHORTCUTS } from './shortcuts.ts';
import { useStudio } from './studio.ts';

export function ShortcutsDialog() {
  const { bench, view, session } = useStudio();
  const { store } = bench;
  const close = () => store.setSession({ dialog: undefined });
  return (
    <Dialog title="Keys" onClose={close}>
      <dl class="keys">
        {SHORTCUTS.map(({ keys, text }) => (
          <div key={keys} style={{ display: 'contents' }}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div class="group" style={{ marginTop: '24px' }}>
        <Segments
          label="Theme"
          value={view.theme.value}
          choices={[
            ['system', 'System'],
            ['dark', 'Dark'],
            ['light', 'Light'],
          ]}
          onChange={(theme) => store.setView({ theme })}
        />
        <p class="dim small">
          Drawn with {session.renderer.value || 'nothing yet'}. Solvers use{' '}
          {session.isolated.value
            ? `${bench.threads} ${bench.threads === 1 ? 'thread' : 'threads'}`
            : 'one thread, because this page is not cross-origin isolated; pelt studio serves it so'}
          . Nothing leaves this machine.
        </p>
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
