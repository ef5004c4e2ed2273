import type { Words } from './words.ts'

export const reasons: Words['reasons'] = {
  notFound: 'هذا غير موجود، أو لم يعد موجوداً.',
  tooLarge: 'هذا كبير جداً.',
  fileTooLarge: 'حجم الملف أكبر من {count} ميغابايت.',
  unsupportedType: 'لا يمكن قراءة ملفات من هذا النوع.',
  oldOffice: 'هو من إصدار Office أقدم من 2007. احفظه بصيغة ‎.docx أو ‎.xlsx أو ‎.pptx ثم ارفعه.',
  rateLimited: 'محاولات كثيرة جداً. انتظر قليلاً.',
  unauthorized: 'لم تسجّل الدخول.',
  wrongPassword: 'الاسم أو كلمة المرور غير صحيحة.',
  unavailable: 'لا يستطيع الخادم ذلك الآن. حاول مجدداً بعد لحظات.',
  diskFull: 'لا يمكن حفظ شيء: قرص الخادم ممتلئ.',
  internal: 'حدث خطأ في الخادم. التفاصيل في سجلّه.',
  field: '{field}: {problem}',
  required: 'يجب ألا يكون فارغاً',
  tooShort: 'يجب ألا يقل عدد الأحرف عن {count}',
  tooLong: 'يجب ألا يزيد عدد الأحرف على {count}',
  tooMany: 'يجب ألا يزيد عدد العناصر على {count}',
  notAddress: 'يجب أن يكون عنوان ويب، مثل https://example.org',
  notPassword: 'ليست كلمة مرورك',
}
