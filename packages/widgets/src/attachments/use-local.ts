import { useEffect, useState } from 'react'

/** An object URL of the file on this device, available at once and while it is shown. */
export function useLocal(file: File): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
