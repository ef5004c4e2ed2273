import type { Words } from './words.ts'

export const reasons: Words['reasons'] = {
  notFound: '该内容不存在，或已不存在。',
  tooLarge: '内容过大。',
  fileTooLarge: '文件大于 {count} MB。',
  unsupportedType: '无法读取此类文件。',
  oldOffice: '该文件来自 2007 年以前的 Office。请另存为 .docx、.xlsx 或 .pptx 后再上传。',
  rateLimited: '尝试次数过多，请稍候。',
  unauthorized: '您尚未登录。',
  wrongPassword: '名称或密码错误。',
  unavailable: '服务器暂时无法处理，请稍后重试。',
  diskFull: '无法保存：服务器磁盘已满。',
  internal: '服务器出了问题，详情见其日志。',
  field: '{field}：{problem}',
  required: '不能为空',
  tooShort: '至少需要 {count} 个字符',
  tooLong: '最多 {count} 个字符',
  tooMany: '最多 {count} 项',
  notAddress: '必须是网址，例如 https://example.org',
  notPassword: '不是您的密码',
}
