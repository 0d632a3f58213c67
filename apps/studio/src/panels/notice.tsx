import { useStudio } from './studio.ts';

/** Errors and remarks in words; the text may quote names from files, and is text. */
export function Notice() {
  const { bench, session } = useStudio();
  const notice = session.notice.value;
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
