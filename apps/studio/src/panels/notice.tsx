import { useEffect } from 'preact/hooks';
import { useStudio } from './studio.ts';

/** After which a remark leaves by itself, and seconds more for every letter to read. */
const LEAST_MS = 5000;
const MS_PER_LETTER = 60;

/** Errors and remarks in words; the text may quote names from files, and is text. */
export function Notice() {
  const { bench, session } = useStudio();
  const notice = session.notice.value;
  useEffect(() => {
    if (notice?.kind !== 'info') return undefined;
    const leave = () => bench.store.setSession({ notice: undefined });
    const timer = setTimeout(leave, LEAST_MS + MS_PER_LETTER * notice.text.length);
    return () => clearTimeout(timer);
  }, [notice, bench]);
  if (!notice) return null;
  return (
    <div class="notice" data-kind={notice.kind} role={notice.kind === 'error' ? 'alert' : 'status'}>
      <span>{notice.text}</span>
      <button type="button" aria-label="Dismiss" onClick={() => bench.store.setSession({ notice: undefined })}>
        ×
      </button>
    </div>
  );
}
