import { useEffect, useState } from 'preact/hooks';
import { type Example, exampleList, openExample } from '../jobs/examples.ts';
import { Dialog } from './dialog.tsx';
import { useStudio } from './studio.ts';

/** Generated examples, one for each method at least. */
export function Gallery() {
  const { bench } = useStudio();
  const [examples, setExamples] = useState<readonly Example[]>([]);
  useEffect(() => void exampleList().then(setExamples), []);
  const close = () => bench.store.setSession({ dialog: undefined });
  return (
    <Dialog title="Examples" onClose={close}>
      <div class="gallery">
        {examples.map((example) => (
          <button
            key={example.name}
            type="button"
            onClick={() => {
              close();
              void openExample(bench, example);
            }}
          >
            <strong>{example.title}</strong>
            <span class="dim">{example.text}</span>
          </button>
        ))}
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
