package cluster

// Warnings keeps the texts of the warnings that come with the responses to one client.
type Warnings struct{ Texts []string }

// HandleWarningHeader implements rest.WarningHandler.
func (w *Warnings) HandleWarningHeader(_ int, _ string, text string) {
	w.Texts = append(w.Texts, text)
}
