import type { Language } from './words.ts'

/** The texts of the widget's script, which runs before the chat and its language are loaded. */
export const BEFORE_THE_CHAT: Record<Language, Record<'loading' | 'failed' | 'retry', string>> = {
  en: { loading: 'Loading …', failed: 'The chat could not be loaded.', retry: 'Try again' },
  de: {
    loading: 'Wird geladen …',
    failed: 'Der Chat konnte nicht geladen werden.',
    retry: 'Noch einmal versuchen',
  },
  es: { loading: 'Cargando…', failed: 'No se pudo cargar el chat.', retry: 'Intentar de nuevo' },
  fr: { loading: 'Chargement…', failed: 'Le chat n’a pas pu être chargé.', retry: 'Réessayer' },
  ar: { loading: 'جارٍ التحميل…', failed: 'تعذّر تحميل المحادثة.', retry: 'إعادة المحاولة' },
  zh: { loading: '正在加载……', failed: '无法加载聊天。', retry: '重试' },
}
