import { useState } from 'react'
import { Choices } from '../dialog/Choices.tsx'
import { QuestionDialog } from '../dialog/QuestionDialog.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { type Level, levels, levelTexts } from './level.ts'

export interface LevelDialogProps {
  level: Level
  onClose: () => void
  onLevel: (level: Level) => void
}

/** Asks which messages of a conversation notify the reader. */
export default function LevelDialog({ level: before, onClose, onLevel }: LevelDialogProps) {
  const t = useTranslate()
  const [level, setLevel] = useState(before)
  return (
    <QuestionDialog
      title={t('details.level')}
      confirm={t('details.name.save')}
      onClose={onClose}
      onConfirm={() => {
        if (level !== before) onLevel(level)
        onClose()
      }}
    >
      <p className="chat-dialog-text">{t('details.level.text')}</p>
      <Choices
        label={t('details.level')}
        titled
        options={levels.map((value) => ({ value, text: t(levelTexts[value]) }))}
        chosen={level}
        onChoose={setLevel}
      />
    </QuestionDialog>
  )
}
