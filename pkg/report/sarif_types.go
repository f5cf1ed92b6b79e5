package report

// The parts of SARIF 2.1.0 that findings need, by its section numbers.
type (
	sarifLog struct { // 3.13
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // 3.14
		Tool        sarifTool            `json:"tool"`
		Invocations []sarifInvocation    `json:"invocations"`
		BaseIDs     map[string]sarifBase `json:"originalUriBaseIds"`
		ColumnKind  string               `json:"columnKind"`
		Results     []sarifResult        `json:"results"`
	}
	sarifTool struct { // 3.18
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct { // 3.19
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct { // 3.49
		ID               string              `json:"id"`
		ShortDescription sarifText           `json:"shortDescription"`
		FullDescription  sarifText           `json:"fullDescription"`
		Help             sarifHelp           `json:"help"`
		HelpURI          string              `json:"helpUri,omitempty"`
		Configuration    sarifConfiguration  `json:"defaultConfiguration"`
		Properties       sarifRuleProperties `json:"properties"`
	}
	sarifConfiguration struct { // 3.50
		Level string `json:"level"`
	}
	sarifRuleProperties struct { // 3.8; security-severity is code scanning's
		Tags             []string `json:"tags"`
		Severity         string   `json:"severity"`
		SecuritySeverity string   `json:"security-severity,omitempty"`
	}
	sarifText struct { // 3.11
		Text string `json:"text"`
	}
	sarifHelp struct { // 3.12
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct { // 3.20
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct { // 3.58
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifBase struct { // 3.4
		Description sarifText `json:"description"`
	}
	sarifResult struct { // 3.27
		RuleID       string                `json:"ruleId"`
		RuleIndex    *int                  `json:"ruleIndex,omitempty"`
		Level        string                `json:"level"`
		Message      sarifText             `json:"message"`
		Locations    []sarifLocation       `json:"locations"`
		Fingerprints map[string]string     `json:"partialFingerprints"`
		Suppressions []sarifSuppression    `json:"suppressions,omitempty"`
		Properties   sarifResultProperties `json:"properties"`
	}
	sarifResultProperties struct {
		Severity string `json:"severity"`
		Evidence string `json:"evidence,omitempty"`
		Remedy   string `json:"remedy,omitempty"`
	}
	sarifLocation struct { // 3.28
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct { // 3.29
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct { // 3.4
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct { // 3.30
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifLogical struct { // 3.33
		Name               string `json:"name,omitempty"`
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
	sarifSuppression struct { // 3.35
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
)
