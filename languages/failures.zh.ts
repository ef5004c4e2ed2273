import type { Words } from './words.ts'

export const failures: Words['failures'] = {
  noSuchPage: '没有这个页面（{what}）。',
  asksPassword: '该网站要求密码（401），而本服务器没有。',
  forbidden: '该网站不允许本服务器读取此页面（403）。',
  askedTooOften: '该网站表示访问过于频繁（429）。',
  siteTrouble: '该网站自身出现故障（{what}）。',
  siteAnswered: '该网站返回了 {what}。',
  tookTooLong: '响应时间过长。',
  connectionFailed: '连接失败。',
  hostNotFound: '找不到主机名 {what}。',
  privateAddress:
    '它指向私有或特殊地址，本服务器不会读取。运营者可用 ALLOW_PRIVATE_HOSTS 允许某个主机。',
  redirects: '重定向超过 {what} 次。',
  leadsAway: '它指向该网站之外。',
  tooLarge: '大小超过 {what} MB。',
  robots:
    '该网站的 robots.txt 要求此类程序不要读取该页面。请将其文本作为文件添加，或请网站所有者在其中允许“Docent”。',
  noindex: '该页面要求不被收录（“noindex”）。请将其文本作为文件添加，或请网站所有者允许“Docent”。',
  contentType: '无法读取其内容（{what}）。',
  fileType: '无法读取此类文件。',
  noText: '其中没有文本。',
  needsScripts:
    '该页面在脚本运行之前是空的，而本服务器不运行脚本。请将其文本作为文件添加，或请运营者安装 Chromium。',
  pdfDamaged: '文件已损坏，无法作为 PDF 读取。请用 PDF 阅读器打开，另存或打印为新的 PDF 后上传。',
  locked: '文件受密码保护。请保存一份无密码的副本后上传。',
  scanned:
    '文件没有文本层：其页面是图片，例如扫描件。请进行文字识别（OCR）后上传结果，或请人在本服务器旁安装 tesseract。',
  damaged: '文件已损坏或不完整。请重新保存后再上传。',
  tooMuchText: '文本超过 {what} 百万个字符。请分成较小的部分再试。',
  readingTooLong: '读取时间过长。请分成较小的部分再试。',
  readingTooLarge: '读取所需内存过多。请分成较小的部分再试。',
  notTakenIn: '无法收录。',
  noPage: '没有任何页面可以读取。第一个：{what}',
  tried: '已尝试 {what} 次。',
}
