import type { Language } from './words.ts'

/** The texts of the widget's script, which runs before the chat and its language are loaded. */
export const WIDGET_SCRIPT_WORDS: Record<
  Language,
  Record<'loading' | 'failed' | 'retry', string>
> = {
  en: { loading: 'Loading…', failed: 'The chat could not load.', retry: 'Try again' },
  de: {
    loading: 'Wird geladen …',
    failed: 'Der Chat konnte nicht geladen werden.',
    retry: 'Erneut versuchen',
  },
  es: { loading: 'Cargando…', failed: 'No se pudo cargar el chat.', retry: 'Reintentar' },
  fr: { loading: 'Chargement…', failed: 'Impossible de charger le chat.', retry: 'Réessayer' },
  ar: { loading: 'جارٍ التحميل…', failed: 'تعذّر تحميل الدردشة.', retry: 'إعادة المحاولة' },
  zh: { loading: '正在加载…', failed: '无法加载聊天。', retry: '重试' },
}
